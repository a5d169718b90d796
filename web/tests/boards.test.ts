import { describe, expect, it } from 'vitest';
import { destinations, movesBetween, piecesOf } from '../src/boards/chessText';
import { stonesOf } from '../src/boards/connectFourText';
import { describeCell, pictureOf, withStep } from '../src/boards/santorini/text';

describe('the picture of a chess position', () => {
  const pieces = piecesOf('r3k2r/8/8/3Pp3/8/8/8/4K2R w Kkq e6 0 1');
  it('has every piece on its square', () => {
    expect(pieces.get('a8')).toBe('black rook');
    expect(pieces.get('d5')).toBe('white pawn');
    expect(pieces.get('h1')).toBe('white rook');
    expect(pieces.size).toBe(7);
  });
  it('groups legal moves by their start, promotions once', () => {
    const legal = ['e7e8q', 'e7e8n', 'e1g1', 'e1f1'];
    expect(destinations(legal)).toEqual(
      new Map([
        ['e7', ['e8']],
        ['e1', ['g1', 'f1']],
      ]),
    );
    expect(movesBetween(legal, 'e7', 'e8')).toEqual(['e7e8q', 'e7e8n']);
  });
});

describe('the picture of a Santorini position', () => {
  const picture = pictureOf('10000/11002/01400/01100/00100 b3e5 a4b2 1');
  it('has heights and workers', () => {
    expect(picture.heights.get('a5')).toBe(1);
    expect(picture.heights.get('e4')).toBe(2);
    expect(picture.heights.get('c3')).toBe(4);
    expect([...picture.workers]).toEqual([
      ['b3', 0],
      ['e5', 0],
      ['a4', 1],
      ['b2', 1],
    ]);
  });
  it('shows a step that is being chosen', () => {
    expect(withStep(picture, 'b3', 'c4').workers.get('c4')).toBe(0);
    expect(withStep(picture, 'b3', 'c4').workers.has('b3')).toBe(false);
    expect(withStep(picture, null, 'c4')).toBe(picture);
  });
  it('has words for every cell', () => {
    expect(describeCell(picture, 'c3')).toBe('c3, dome');
    expect(describeCell(picture, 'b3')).toBe('b3, level 1, orange worker');
    expect(describeCell(picture, 'e1')).toBe('e1, ground');
  });
  it('may have no workers yet', () => {
    expect(pictureOf('00000/00000/00000/00000/00000 - - 1').workers.size).toBe(0);
  });
});

describe('the picture of a Connect Four position', () => {
  it('has stones counted from below', () => {
    expect(stonesOf('7/7/7/7/3o3/2xx3 o')).toEqual(
      new Map([
        ['d2', 1],
        ['c1', 0],
        ['d1', 0],
      ]),
    );
  });
});
