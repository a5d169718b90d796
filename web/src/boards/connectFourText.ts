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
