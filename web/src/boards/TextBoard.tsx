// A board for games that have none of their own: the position as text, and a button for every legal move.

import type { BoardProps } from './board';

export function TextBoard({ position, onMove, line, label }: BoardProps) {
  return (
    <div class="text-board" role="group" aria-label={label}>
      <pre>{position.text.replaceAll('/', '\n')}</pre>
      <div class="text-moves">
        {position.legalMoves.map((move) => (
          <button
            type="button"
            key={move}
            class={move === line[0] ? 'pointed' : undefined}
            disabled={onMove === null}
            onClick={() => onMove?.(move)}
          >
            {move}
          </button>
        ))}
      </div>
    </div>
  );
}
