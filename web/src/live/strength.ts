// How strong the champion is: what a ladder measured, and a lighter estimate in between from the arena's results of
// every promotion. Pure.
//
// The results add up to too much where a candidate beats its champion in nearly every game, as early in a run. Between two
// ladders they are therefore scaled to lead from the one to the other; after the newest one they are added as they are.

import type { IterationRow } from './messages';

export interface Strength {
  iteration: number;
  /** Elo over the first champion. */
  elo: number;
  isMeasured: boolean;
}

/** A champion: its Elo, and the sum of the arena's results on the way to it. */
interface Rung {
  gained: number;
  elo: number;
}

/** One entry for each iteration from the first measurement or promotion on. */
export function strengthOver(rows: readonly IterationRow[]): Strength[] {
  const found: Strength[] = [];
  let below: Rung = { gained: 0, elo: 0 }; // the first champion is at 0
  let waiting: { iteration: number; gained: number }[] = [];
  let gained = 0;
  for (const { iteration, wasPromoted, arena, rating } of rows) {
    const isPromoted = wasPromoted && arena !== null;
    if (isPromoted) gained += arena.elo.elo;
    if (rating !== null) {
      const above: Rung = { gained, elo: rating.elo };
      found.push(...waiting.map((each) => estimated(each.iteration, between(below, above, each.gained))));
      found.push({ iteration, elo: rating.elo, isMeasured: true });
      below = above;
      waiting = [];
    } else if (isPromoted || found.length + waiting.length > 0) {
      waiting.push({ iteration, gained });
    }
  }
  return [...found, ...waiting.map((each) => estimated(each.iteration, below.elo + each.gained - below.gained))];
}

function estimated(iteration: number, elo: number): Strength {
  return { iteration, elo, isMeasured: false };
}

function between(below: Rung, above: Rung, gained: number): number {
  const share = above.gained > below.gained ? (gained - below.gained) / (above.gained - below.gained) : 0;
  return below.elo + share * (above.elo - below.elo);
}
