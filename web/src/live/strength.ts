// How strong the champion is: what a ladder measured, and between ladders a lighter estimate that adds the arena's
// results of every promotion since. Pure.

import type { IterationRow } from './messages';

export interface Strength {
  iteration: number;
  /** Elo over the first champion. */
  elo: number;
  isMeasured: boolean;
}

/** One entry for each iteration from the first measurement or promotion on. */
export function strengthOver(rows: readonly IterationRow[]): Strength[] {
  const found: Strength[] = [];
  let elo = 0;
  let isKnown = false;
  for (const row of rows) {
    if (row.wasPromoted && row.arena !== null) {
      elo += row.arena.elo.elo;
      isKnown = true;
    }
    const isMeasured = row.rating !== null;
    if (row.rating !== null) {
      elo = row.rating.elo;
      isKnown = true;
    }
    if (isKnown) found.push({ iteration: row.iteration, elo, isMeasured });
  }
  return found;
}
