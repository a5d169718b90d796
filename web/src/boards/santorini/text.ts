// Reads the picture out of a Santorini text: heights and workers. `docs/santorini-notation.md` describes the text.

import { GAME_INFO } from '../../api/games';
import type { Side } from '../../engine/types';

export const SIZE = 5;
export const DOME = 4;

export interface SantoriniPicture {
  /** By cell name. */
  heights: Map<string, number>;
  workers: Map<string, Side>;
}

export const CELLS: readonly string[] = [1, 2, 3, 4, 5].flatMap((row) =>
  ['a', 'b', 'c', 'd', 'e'].map((column) => column + row),
);

export function pictureOf(text: string): SantoriniPicture {
  const [board = '', first = '-', second = '-'] = text.split(' ');
  const heights = new Map<string, number>();
  board.split('/').forEach((row, fromTop) => {
    [...row].forEach((height, column) =>
      heights.set(`${'abcde'.charAt(column)}${SIZE - fromTop}`, Number(height) || 0),
    );
  });
  const workers = new Map<string, Side>();
  for (const cell of first.match(/[a-e][1-5]/g) ?? []) workers.set(cell, 0);
  for (const cell of second.match(/[a-e][1-5]/g) ?? []) workers.set(cell, 1);
  return { heights, workers };
}

/** The picture while a move is being chosen: the worker already stands where it will step. */
export function withStep(picture: SantoriniPicture, from: string | null, to: string | null): SantoriniPicture {
  const side = from === null ? undefined : picture.workers.get(from);
  if (from === null || to === null || side === undefined) return picture;
  const workers = new Map([...picture.workers].map(([cell, owner]) => [cell === from ? to : cell, owner]));
  return { heights: picture.heights, workers };
}

export function describeCell(picture: SantoriniPicture, cell: string): string {
  const height = picture.heights.get(cell) ?? 0;
  const side = picture.workers.get(cell);
  const ground = height >= DOME ? 'dome' : height === 0 ? 'ground' : `level ${height}`;
  return `${cell}, ${ground}${side === undefined ? '' : `, ${GAME_INFO.santorini.sides[side]} worker`}`;
}
