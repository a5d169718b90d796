// One position as the networks of a run saw it, iteration by iteration: what a network thinks before any search.
// Pure but for the engine that is asked.

import type { Engine, NetworkInfo, GameMoves, Side } from '../engine/types';

/** What one iteration's network thought of the position. */
export interface Thought {
  iteration: number;
  /** The first player's, −1 to 1. */
  value: number;
  /** Probability of each move that it gave one, by move. */
  priors: ReadonlyMap<string, number>;
  notation: ReadonlyMap<string, string>;
}

const ITERATION = /^run:iter_0*(\d+)$/;
export const MOST_NETWORKS = 60;

/** The networks of the run's iterations, oldest first; evenly chosen where there are many, always with both ends. */
export function networksOfRun(networks: readonly NetworkInfo[]): { id: string; iteration: number }[] {
  const all = networks
    .flatMap(({ id }) => {
      const found = ITERATION.exec(id)?.[1];
      return found === undefined ? [] : [{ id, iteration: Number(found) }];
    })
    .sort((left, right) => left.iteration - right.iteration);
  if (all.length <= MOST_NETWORKS) return all;
  const step = (all.length - 1) / (MOST_NETWORKS - 1);
  return Array.from({ length: MOST_NETWORKS }, (_, index) => all[Math.round(index * step)]!);
}

/** Asks one network. A single node is the network's own view: nothing is searched below it. */
export async function askNetwork(
  engine: Engine,
  record: GameMoves,
  side: Side,
  network: { id: string; iteration: number },
  stop: AbortSignal,
): Promise<Thought> {
  const found = await engine.search(record, network.id, { simulations: 1 }, () => undefined, stop);
  const sign = side === 0 ? 1 : -1;
  return {
    iteration: network.iteration,
    value: sign * (found.value ?? 0),
    priors: new Map(found.candidates.map(({ move, prior }) => [move, prior])),
    notation: new Map(found.candidates.map(({ move, notation }) => [move, notation])),
  };
}

export interface MoveCurve {
  move: string;
  notation: string;
  /** Probabilities in per cent, one for each thought. */
  shares: number[];
}

/** Curves of the moves that any of the networks preferred, the newest network's favourites first. */
export function curvesOf(thoughts: readonly Thought[], numCurves: number): MoveCurve[] {
  const last = thoughts.at(-1);
  if (last === undefined) return [];
  const weight = (move: string): number =>
    (last.priors.get(move) ?? 0) + Math.max(...thoughts.map(({ priors }) => priors.get(move) ?? 0)) / 2;
  return [...last.priors.keys()]
    .sort((left, right) => weight(right) - weight(left))
    .slice(0, numCurves)
    .map((move) => ({
      move,
      notation: last.notation.get(move) ?? move,
      shares: thoughts.map(({ priors }) => 100 * (priors.get(move) ?? 0)),
    }));
}
