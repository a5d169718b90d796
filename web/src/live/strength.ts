// How strong the champion is: what a ladder measured, and a lighter estimate in between from the arena's results of
// every promotion. Pure.
//
// The results add up to too much where a candidate beats its champion in nearly every game, as early in a run. Between two
// ladders they are therefore scaled to lead from the one to the other, and after the newest one to the server's estimate,
// which trusts the arena as far as ladders confirmed it before.

import type { IterationRow } from './messages';

/** What one iteration says of strength, in Elo. */
export interface Step {
  iteration: number;
  /** The champion over the first one, if a ladder measured it. */
  measured: number | null;
  /** The arena's result, if it led to a promotion. */
  gain: number | null;
}

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

export function stepsOf(rows: readonly IterationRow[]): Step[] {
  return rows.map(({ iteration, wasPromoted, arena, rating }) => ({
    iteration,
    measured: rating?.elo ?? null,
    gain: wasPromoted ? (arena?.elo.elo ?? null) : null,
  }));
}

/** One entry for each iteration from the first measurement or promotion on; `estimate` is of the newest champion. */
export function strengthOver(steps: readonly Step[], estimate: number | null = null): Strength[] {
  const found: Strength[] = [];
  let below: Rung = { gained: 0, elo: 0 }; // the first champion is at 0
  let waiting: { iteration: number; gained: number }[] = [];
  let gained = 0;
  for (const { iteration, gain, measured } of steps) {
    gained += gain ?? 0;
    if (measured !== null) {
      const above: Rung = { gained, elo: measured };
      found.push(...waiting.map((each) => estimated(each.iteration, between(below, above, each.gained))));
      found.push({ iteration, elo: measured, isMeasured: true });
      below = above;
      waiting = [];
    } else if (gain !== null || found.length + waiting.length > 0) {
      waiting.push({ iteration, gained });
    }
  }
  const above: Rung = { gained, elo: estimate ?? below.elo + gained - below.gained };
  return [...found, ...waiting.map((each) => estimated(each.iteration, between(below, above, each.gained)))];
}

function estimated(iteration: number, elo: number): Strength {
  return { iteration, elo, isMeasured: false };
}

function between(below: Rung, above: Rung, gained: number): number {
  const share = above.gained > below.gained ? (gained - below.gained) / (above.gained - below.gained) : 0;
  return below.elo + share * (above.elo - below.elo);
}
