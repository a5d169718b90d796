import { describe, expect, it } from 'vitest';
import type { SearchProgress } from '../src/engine/types';
import { grow, topCurves, type Moment } from '../src/game/growth';

function progress(nodes: number, visits: { [move: string]: number }): SearchProgress {
  const candidates = Object.entries(visits).map(([move, count]) => ({
    move,
    notation: move,
    visits: count,
    prior: 0,
    value: 0,
    pv: [move],
  }));
  return { nodes, elapsedMs: nodes, wdl: [0, 1, 0], value: 0, candidates, done: false };
}

describe('the growth of a search', () => {
  it('becomes curves of the most visited moves', () => {
    let history: Moment[] = [];
    history = grow(history, progress(10, { e4: 5, d4: 5 }));
    history = grow(history, progress(100, { e4: 25, d4: 70, a3: 5 }));
    expect(topCurves(history, 2)).toEqual([
      { move: 'd4', shares: [50, 70] },
      { move: 'e4', shares: [50, 25] },
    ]);
  });

  it('does not go backwards', () => {
    const history = grow([], progress(10, { e4: 5 }));
    expect(grow(history, progress(10, { e4: 9 }))).toEqual(history);
  });

  it('stays bounded however long it takes, and keeps its beginning', () => {
    let history: Moment[] = [];
    for (let step = 1; step <= 5_000; step += 1) history = grow(history, progress(step, { e4: step }));
    expect(history.length).toBeLessThanOrEqual(241);
    expect(history[0]?.nodes).toBe(1);
    expect(history.at(-1)?.nodes).toBe(5_000);
  });

  it('of nothing has no curves', () => expect(topCurves([], 5)).toEqual([]));
});
