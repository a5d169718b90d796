// One cell of the flat board: storeys as squares within squares with their number, a dome, a worker.

import { DOME, type SantoriniPicture } from './text';

export function FlatCell({ picture, cell }: { picture: SantoriniPicture; cell: string }) {
  const height = picture.heights.get(cell) ?? 0;
  const side = picture.workers.get(cell);
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true">
      {height >= 1 && <rect class="storey" x="7" y="7" width="86" height="86" rx="6" />}
      {height >= 2 && <rect class="storey" x="16" y="16" width="68" height="68" rx="5" />}
      {height >= 3 && <rect class="storey" x="25" y="25" width="50" height="50" rx="4" />}
      {height >= DOME && <circle class="dome" cx="50" cy="50" r="22" />}
      {side === 0 && <circle class="worker first" cx="50" cy="50" r="19" />}
      {side === 1 && <path class="worker second" d="M50 27 L71 66 L29 66 Z" />}
      {height > 0 && height < DOME && (
        <text class="height" x={side === undefined ? 50 : 84} y={side === undefined ? 58 : 92}>
          {height}
        </text>
      )}
    </svg>
  );
}
