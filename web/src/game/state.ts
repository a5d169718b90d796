// A game against the engine, as a value and the ways it changes. Knows no rules and no engine: who is to move and how
// a game ended comes in with the actions, as an engine said it.

import type { GameName, GameResult, Outcome, GameMoves, SearchLimits, Side } from '../engine/types';
import { asLimits, newClock, pause, press, run, type Clock } from './clock';

export type Strength =
  | { kind: 'level'; level: number }
  | { kind: 'nodes'; simulations: number }
  | { kind: 'time'; moveTimeMs: number }
  | { kind: 'clock'; initialMs: number; incrementMs: number }
  /** As the opponent is set by itself. */
  | { kind: 'own' };

export interface GameSetup {
  game: GameName;
  start: string | null;
  network: string;
  networkLabel: string;
  strength: Strength;
  human: Side;
}

export interface GameState {
  setup: GameSetup;
  moves: string[];
  /** Who played each move: turns need not alternate (Santorini places two workers in a row). */
  movers: Side[];
  clock: Clock | null;
  ending: Outcome | null;
  /** When its first move was made, by Date.now(); left out: before that, or not known. */
  begunMs?: number | undefined;
  /** The ply that the board shows; null is the newest. */
  shownPly: number | null;
  flipped: boolean;
}

export type GameAction =
  | { kind: 'new'; setup: GameSetup }
  | { kind: 'play'; move: string; side: Side; nowMs: number }
  /** The engine has looked at the newest position. */
  | { kind: 'reached'; sideToMove: Side; outcome: Outcome | null; nowMs: number }
  | { kind: 'takeback'; nowMs: number }
  | { kind: 'resign'; nowMs: number }
  /** Both sides agree to a draw. */
  | { kind: 'agree'; nowMs: number }
  | { kind: 'flag'; side: Side; nowMs: number }
  | { kind: 'pause'; nowMs: number }
  | { kind: 'show'; ply: number }
  | { kind: 'flip' };

export function newGame(setup: GameSetup): GameState {
  const { strength } = setup;
  return {
    setup,
    moves: [],
    movers: [],
    clock: strength.kind === 'clock' ? newClock(strength.initialMs, strength.incrementMs) : null,
    ending: null,
    shownPly: null,
    flipped: setup.human === 1,
  };
}

export function reduce(state: GameState, action: GameAction): GameState {
  switch (action.kind) {
    case 'new':
      return newGame(action.setup);
    case 'play':
      return state.ending === null ? played(state, action.move, action.side, action.nowMs) : state;
    case 'reached':
      return reached(state, action.sideToMove, action.outcome, action.nowMs);
    case 'takeback':
      return takenBack(state, action.nowMs);
    case 'resign':
      return ended(state, { reason: 'resignation', winner: other(state.setup.human) }, action.nowMs);
    case 'agree':
      return ended(state, { reason: 'agreement', winner: null }, action.nowMs);
    case 'flag':
      return ended(state, { reason: 'time', winner: other(action.side) }, action.nowMs);
    case 'pause':
      return state.clock === null ? state : { ...state, clock: pause(state.clock, action.nowMs) };
    case 'show':
      return { ...state, shownPly: clampPly(action.ply, state.moves.length) };
    case 'flip':
      return { ...state, flipped: !state.flipped };
  }
}

export function recordOf(state: GameState, ply: number | null = null): GameMoves {
  const moves = ply === null ? state.moves : state.moves.slice(0, ply);
  return { game: state.setup.game, start: state.setup.start, moves };
}

/** As players and PGN write it; "*" while the game goes on. */
export function resultText(ending: Outcome | null): GameResult {
  if (ending === null) return '*';
  return ending.winner === null ? '1/2-1/2' : ending.winner === 0 ? '1-0' : '0-1';
}

/** Nothing to take back before the person has moved. */
export function canTakeBack(state: GameState): boolean {
  return state.movers.includes(state.setup.human);
}

export function limitsOf(state: GameState, nowMs: number): SearchLimits {
  const { strength } = state.setup;
  switch (strength.kind) {
    case 'level':
      return { level: strength.level };
    case 'nodes':
      return { simulations: strength.simulations };
    case 'time':
      return { moveTimeMs: strength.moveTimeMs };
    case 'clock':
      return { clock: asLimits(state.clock ?? newClock(strength.initialMs, strength.incrementMs), nowMs) };
    case 'own':
      return { own: true };
  }
}

export function describeStrength(strength: Strength): string {
  switch (strength.kind) {
    case 'level':
      return `level ${strength.level}`;
    case 'nodes':
      return `${strength.simulations.toLocaleString('en-GB')} nodes a move`;
    case 'time':
      return `${strength.moveTimeMs / 1000} s a move`;
    case 'clock':
      return `${strength.initialMs / 60_000}+${strength.incrementMs / 1000}`;
    case 'own':
      return 'its own way';
  }
}

export function other(side: Side): Side {
  return side === 0 ? 1 : 0;
}

function played(state: GameState, move: string, side: Side, nowMs: number): GameState {
  return {
    ...state,
    moves: [...state.moves, move],
    movers: [...state.movers, side],
    begunMs: state.moves.length === 0 ? nowMs : state.begunMs,
    clock: state.clock === null ? null : press(state.clock, side, nowMs),
    shownPly: null,
  };
}

function reached(state: GameState, sideToMove: Side, outcome: Outcome | null, nowMs: number): GameState {
  if (outcome !== null) return ended(state, outcome, nowMs);
  if (state.ending !== null || state.clock === null) return state;
  // As over the board: clocks start with the first move, not while somebody still looks for the mouse.
  const clock = state.moves.length === 0 ? pause(state.clock, nowMs) : run(state.clock, sideToMove, nowMs);
  return { ...state, clock };
}

function takenBack(state: GameState, nowMs: number): GameState {
  const ply = state.movers.lastIndexOf(state.setup.human);
  if (ply < 0) return state;
  return {
    ...state,
    moves: state.moves.slice(0, ply),
    movers: state.movers.slice(0, ply),
    clock: state.clock === null ? null : pause(state.clock, nowMs),
    ending: null,
    shownPly: null,
  };
}

function ended(state: GameState, ending: Outcome, nowMs: number): GameState {
  if (state.ending !== null) return state;
  return { ...state, ending, clock: state.clock === null ? null : pause(state.clock, nowMs) };
}

function clampPly(ply: number, newest: number): number | null {
  return ply >= newest ? null : Math.max(0, ply);
}
