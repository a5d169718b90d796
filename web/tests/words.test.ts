import { describe, expect, it } from 'vitest';
import { moveNumber } from '../src/ui/words';

describe('the number before a move', () => {
  it.each([
    [0, true, '1.'],
    [1, false, ''],
    [1, true, '1…'],
    [6, false, '4.'],
    [7, true, '4…'],
  ])('counts pairs in chess: ply %d', (ply, beginsLine, text) => {
    expect(moveNumber('chess', ply, beginsLine)).toBe(text);
  });
  it('counts every move where a side may move twice in a row', () => {
    expect([0, 1, 2].map((ply) => moveNumber('santorini', ply, false))).toEqual(['1.', '2.', '3.']);
  });
});
