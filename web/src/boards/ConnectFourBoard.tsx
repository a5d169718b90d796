// Connect Four: seven columns of six. Every cell of a column drops into that column.

import { useState } from 'preact/hooks';
import { FILES, rowNames, type BoardProps } from './board';
import { CellGrid } from './CellGrid';
import { GAME_INFO } from '../api/games';
import { connectedCells, stonesOf } from './connectFourText';

const COLUMNS = FILES.slice(0, 7);
const NAMES = GAME_INFO.connect_four.sides;

export function ConnectFourBoard({ position, lastMove, onMove, line, arrows = [], label }: BoardProps) {
  const [hovered, setHovered] = useState<string | null>(null);
  const stones = stonesOf(position.text);
  const connected = connectedCells(stones);
  const height = (column: string): number => rowNames(6, true).filter((row) => stones.has(column + row)).length;
  const landing = (column: string | undefined): string => `${column}${height(column ?? '') + 1}`;
  const last = lastMove === null ? '' : `${lastMove}${height(lastMove)}`;
  const aimed = onMove === null || hovered === null ? '' : landing(hovered);
  const pointed = landing(line[0] ?? arrows[0]?.move);
  const shareOf = (column: string): string => {
    const share = arrows.find(({ move }) => move === column)?.share ?? null;
    return share === null ? '' : ` ${Math.round(share * 100)} %`;
  };

  const describe = (cell: string): string => {
    const stone = stones.get(cell);
    return `column ${cell.charAt(0)}, row ${cell.slice(1)}, ${stone === undefined ? 'empty' : NAMES[stone]}${connected.has(cell) ? ', part of the winning four' : ''}`;
  };
  const classOf = (cell: string): string =>
    [
      stones.get(cell) === 0 ? 'stone first' : stones.get(cell) === 1 ? 'stone second' : 'hole',
      cell === last ? 'last' : '',
      connected.has(cell) ? 'won' : '',
      cell === aimed ? `aim side-${position.sideToMove}` : '',
      cell === pointed ? 'pointed' : '',
    ].join(' ');
  const pick = (cell: string): void => {
    if (position.legalMoves.includes(cell.charAt(0))) onMove?.(cell.charAt(0));
  };
  return (
    <div class="four board-wide">
      <CellGrid
        class="flat"
        label={label}
        columns={COLUMNS}
        rows={rowNames(6, false)}
        describe={describe}
        classOf={classOf}
        content={() => <i aria-hidden="true" />}
        onPick={onMove === null ? null : pick}
        onHover={(cell) => setHovered(cell?.charAt(0) ?? null)}
        onFocus={(cell) => setHovered(cell?.charAt(0) ?? null)}
      />
      <div class="four-names" aria-hidden="true">
        {COLUMNS.map((column) => (
          <span key={column}>
            {column}
            {shareOf(column)}
          </span>
        ))}
      </div>
    </div>
  );
}
