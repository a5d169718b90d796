// From what a page asks for to what the core's search takes. The arithmetic of the clock is that of
// src/milton/play/clock.py, with its numbers; web/wasm/limits.test.ts compares the two.

import { EngineProblem, type Algorithm, type GameName, type SearchLimits, type Side } from '../engine/types';
import type { Algorithms, ClockNumbers, PlayData, Sampling, SiteLevel } from './playdata';

/** Zero is no limit. */
export interface CoreLimits {
  /** Simulations of the tree, positions that alpha-beta visits. */
  maxNodes: number;
  softS: number;
  hardS: number;
  /** When no other move can overtake the best. */
  stopEarly: boolean;
  /** Forget what earlier searches of the game found. */
  fresh: boolean;
  /** Null: the best move is played. */
  sampling: Sampling | null;
  /** Root moves to search; empty: all. */
  onlyMoves: readonly string[];
  /** Moves that get exact scores; the tree has a value for every move anyway. */
  numLines: number;
}

export interface Situation {
  game: GameName;
  sideToMove: Side;
  ply: number;
  numLegalMoves: number;
}

export interface Budget {
  softS: number;
  hardS: number;
}

export const NO_LIMITS: CoreLimits = {
  maxNodes: 0,
  softS: 0,
  hardS: 0,
  stopEarly: false,
  fresh: false,
  sampling: null,
  onlyMoves: [],
  numLines: 1,
};
const MS_PER_S = 1000;

export function coreLimits(limits: SearchLimits, at: Situation, data: PlayData): CoreLimits {
  const numLines = limits.algorithm === 'alphabeta' && limits.clock === undefined ? data.numAlphaBetaLines : 1;
  return { ...endsOf(limits, at, data), onlyMoves: limits.onlyMoves ?? [], numLines };
}

/** What ends the search, and how its move is chosen. */
function endsOf(limits: SearchLimits, at: Situation, data: PlayData): CoreLimits {
  if (limits.level !== undefined) {
    const { simulations, moveTimeS, fresh, sampling } = levelOf(limits.level, data.levels[at.game]);
    return { ...NO_LIMITS, ...budgetForMoveTime(moveTimeS, data.clock), maxNodes: simulations ?? 0, fresh, sampling };
  }
  if (limits.infinite === true) return NO_LIMITS;
  if (limits.clock !== undefined) {
    const isFirst = at.sideToMove === 0;
    const remainingS = (isFirst ? limits.clock.whiteMs : limits.clock.blackMs) / MS_PER_S;
    const incrementS = (isFirst ? limits.clock.whiteIncMs : limits.clock.blackIncMs) / MS_PER_S;
    const maxNodes = at.numLegalMoves === 1 ? data.clock.nodesForOneMove : 0;
    return { ...NO_LIMITS, ...budgetForClock(remainingS, incrementS, at.ply, data.clock), maxNodes, stopEarly: true };
  }
  const { simulations, moveTimeMs } = limits;
  if (simulations === undefined && moveTimeMs === undefined) {
    throw new EngineProblem('the search has no limit', 'Choose a level, a number of simulations or a time.');
  }
  const moveTimeS = moveTimeMs === undefined ? null : moveTimeMs / MS_PER_S;
  return { ...NO_LIMITS, ...budgetForMoveTime(moveTimeS, data.clock), maxNodes: simulations ?? 0 };
}

/** Which search answers; the choice is Python's (scripts/site_data.py asks for it). */
export function algorithmFor(limits: SearchLimits, algorithms: Algorithms): Algorithm {
  if (limits.algorithm === 'alphabeta' && algorithms.clock !== 'alphabeta') {
    throw new EngineProblem('alpha-beta needs a sparse chess network', 'Search by the tree.');
  }
  if (limits.algorithm !== undefined) return limits.algorithm;
  if (limits.level !== undefined) return levelOf(limits.level, algorithms.levels);
  if (limits.infinite === true) return algorithms.infinite;
  if (limits.clock !== undefined) return algorithms.clock;
  return limits.simulations === undefined ? algorithms.moveTime : algorithms.simulations;
}

function levelOf<T extends SiteLevel | Algorithm>(level: number, levels: T[]): T {
  const found = levels[level - 1];
  if (found === undefined) {
    throw new EngineProblem(`there is no level ${level}`, `Choose one from 1 to ${levels.length}.`);
  }
  return found;
}

export function budgetForClock(remainingS: number, incrementS: number, ply: number, numbers: ClockNumbers): Budget {
  const spendable = remainingS - numbers.moveOverheadS;
  if (spendable <= numbers.shortestS) return { softS: numbers.shortestS, hardS: numbers.shortestS };
  const movesLeft = Math.max(numbers.fewestMovesLeft, numbers.mostMovesLeft - ply / numbers.pliesPerMoveLess);
  const lostS = incrementS > 0 ? numbers.moveOverheadS : Math.max(numbers.moveOverheadS, numbers.safeOverheadS);
  const unpaidS = Math.min(lostS, 2 * Math.max(0, lostS - incrementS));
  const reserve = lostS * numbers.reserveMoves + unpaidS * (numbers.unpaidReserveMoves - numbers.reserveMoves);
  const isComfortable = remainingS >= 2 * reserve;
  const share =
    numbers.incrementShare * incrementS +
    (isComfortable ? (remainingS - reserve) / movesLeft : remainingS ** 2 / (4 * reserve) / numbers.unpaidReserveMoves);
  const most = spendable * Math.max(numbers.largestShare, 1 / movesLeft);
  const hardS = between(numbers.shortestS, share * (isComfortable ? numbers.doubtFactor : 1), most);
  return { softS: between(numbers.shortestS, share, hardS), hardS };
}

/** Null is no limit. */
export function budgetForMoveTime(moveTimeS: number | null, numbers: ClockNumbers): Budget {
  if (moveTimeS === null) return { softS: 0, hardS: 0 };
  const timeS = Math.max(numbers.shortestS, moveTimeS - numbers.moveOverheadS, moveTimeS / 2);
  return { softS: timeS, hardS: timeS };
}

function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
