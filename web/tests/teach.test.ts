import { describe, expect, it } from 'vitest';
import { connectedCells, stonesOf } from '../src/boards/connectFourText';
import type { PositionView } from '../src/engine/types';
import { guideFor } from '../src/game/guide';
import { meaningOf } from '../src/ui/glossary';
import { curvesOf, MOST_NETWORKS, networksOfRun, type Thought } from '../src/study/learning';

describe('the winning four', () => {
  it('is found across, upwards and diagonally, and nowhere else', () => {
    expect([...connectedCells(stonesOf('7/7/7/7/ooo4/xxxx3 o'))].sort()).toEqual(['a1', 'b1', 'c1', 'd1']);
    expect([...connectedCells(stonesOf('7/7/o6/o6/o6/oxxx3 x'))].sort()).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect([...connectedCells(stonesOf('7/7/3x3/2xo3/1xoo3/xooo3 o'))].sort()).toEqual(['a1', 'b2', 'c3', 'd4']);
    expect(connectedCells(stonesOf('7/7/7/7/7/xxx1xxx o')).size).toBe(0);
  });
});

describe('the guide of Santorini', () => {
  const at = (text: string, numMoves = 12): PositionView => ({
    text,
    sideToMove: 0,
    ply: numMoves,
    legalMoves: [],
    moves: Array.from({ length: numMoves }, () => 'x'),
    notation: [],
    inCheck: false,
    outcome: null,
  });

  it('begins with placing, and sees wins and threats', () => {
    expect(guideFor(at('00000/00000/00000/00000/00000 - - 0', 0), 0)).toMatch(/Place a worker/);
    expect(guideFor(at('00000/00000/02300/00000/00000 b3a1 e5e4 0'), 0)).toMatch(/win now.*c3/);
    expect(guideFor(at('00000/00000/02300/00000/00000 e5e4 b3a1 0'), 0)).toMatch(/threatens.*c3/);
    expect(guideFor(at('00000/00000/00000/00000/00000 b3a1 e5e4 0'), 0)).toMatch(/Height wins/);
  });
});

describe('how it learnt this', () => {
  const network = (id: string) => ({ id, label: id, game: 'chess' as const, family: 'sparse', note: '' });

  it('asks the networks of the run in the order they were made, and not too many', () => {
    expect(networksOfRun([network('champion'), network('run:iter_0012'), network('run:iter_0003')])).toEqual([
      { id: 'run:iter_0003', iteration: 3 },
      { id: 'run:iter_0012', iteration: 12 },
    ]);
    const many = networksOfRun(Array.from({ length: 500 }, (_, index) => network(`run:iter_${index + 1}`)));
    expect(many.length).toBe(MOST_NETWORKS);
    expect([many[0]?.iteration, many.at(-1)?.iteration]).toEqual([1, 500]);
  });

  it('draws the moves that the newest network likes', () => {
    const thought = (iteration: number, e4: number): Thought => ({
      iteration,
      value: 0,
      priors: new Map([
        ['e2e4', e4],
        ['d2d4', 0.2],
        ['a2a3', 0.01],
      ]),
      notation: new Map([['e2e4', 'e4']]),
    });
    const [first, ...others] = curvesOf([thought(1, 0.05), thought(2, 0.7)], 2);
    expect(first).toEqual({ move: 'e2e4', notation: 'e4', shares: [5, 70] });
    expect(others.map(({ move }) => move)).toEqual(['d2d4']);
  });
});

describe('words of the glossary', () => {
  it('has the words that the pages explain, without marks', () => {
    for (const word of ['prior', 'visit', 'ply', 'policy', 'value', 'arena'])
      expect(meaningOf(word), word).toMatch(/^[^`*]{10,}$/);
    expect(meaningOf('no such word')).toBeNull();
  });
});
