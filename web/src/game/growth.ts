// How the visits of a search grow, kept as a bounded number of moments. Pure: a history and a message give a history.

import type { SearchProgress } from '../engine/types';

export interface Moment {
  nodes: number;
  /** Visits by move; moves that were never visited are left out. */
  visits: ReadonlyMap<string, number>;
}

const MOST_MOMENTS = 240;

/** Adds a moment. When there are too many, every second one is dropped: long searches stay whole but coarser. */
export function grow(history: readonly Moment[], progress: SearchProgress): Moment[] {
  const last = history.at(-1);
  if (last !== undefined && progress.nodes <= last.nodes) return [...history];
  const visits = new Map(
    progress.candidates.filter(({ visits }) => visits > 0).map(({ move, visits }) => [move, visits]),
  );
  const kept = history.length >= MOST_MOMENTS ? history.filter((_, index) => index % 2 === 0) : history;
  return [...kept, { nodes: progress.nodes, visits }];
}

export interface Curve {
  move: string;
  /** Share of all visits at each moment, 0 to 100. */
  shares: number[];
}

/** Curves of the moves that have most visits now. */
export function topCurves(history: readonly Moment[], numCurves: number): Curve[] {
  const now = history.at(-1)?.visits ?? new Map<string, number>();
  const best = [...now].sort((left, right) => right[1] - left[1]).slice(0, numCurves);
  const totals = history.map((moment) => [...moment.visits.values()].reduce((sum, visits) => sum + visits, 0));
  return best.map(([move]) => ({
    move,
    shares: history.map((moment, index) => (100 * (moment.visits.get(move) ?? 0)) / Math.max(1, totals[index] ?? 1)),
  }));
}
