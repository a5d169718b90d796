// Reads the picture out of a Connect Four text such as "7/7/7/7/3o3/2xx3 o".

import type { Side } from '../engine/types';

/** "d1" → whose stone, for every cell that is not empty. */
export function stonesOf(text: string): Map<string, Side> {
  const stones = new Map<string, Side>();
  const rows = (text.split(' ')[0] ?? '').split('/');
  rows.forEach((row, fromTop) => {
    let column = 0;
    for (const sign of row) {
      if (sign === 'x' || sign === 'o') {
        stones.set(`${'abcdefg'.charAt(column)}${rows.length - fromTop}`, sign === 'x' ? 0 : 1);
        column += 1;
      } else {
        column += Number(sign) || 0;
      }
    }
  });
  return stones;
}

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** The cells of four or more stones of one side in a row; empty where there are none. */
export function connectedCells(stones: ReadonlyMap<string, Side>): Set<string> {
  const found = new Set<string>();
  for (const [cell, side] of stones) {
    for (const [right, up] of DIRECTIONS) {
      const four = [0, 1, 2, 3].map(
        (step) => String.fromCharCode(cell.charCodeAt(0) + right * step) + String(Number(cell.slice(1)) + up * step),
      );
      if (four.every((each) => stones.get(each) === side)) for (const each of four) found.add(each);
    }
  }
  return found;
}
