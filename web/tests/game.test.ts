import { describe, expect, it } from 'vitest';
import type { NetworkInfo } from '../src/engine/types';
import { hasFlagged, leftOf, newClock, pause, press, run } from '../src/game/clock';
import { isGameState } from '../src/game/saved';
import {
  canTakeBack,
  limitsOf,
  newGame,
  recordOf,
  reduce,
  type GameAction,
  type GameSetup,
  type GameState,
} from '../src/game/state';
import { eloNote, kindFor, levelOption, strengthOf } from '../src/pages/play/NewGameDialog';

const SETUP: GameSetup = {
  game: 'chess',
  start: null,
  network: 'champion',
  networkLabel: 'Champion',
  strength: { kind: 'level', level: 3 },
  human: 0,
};

function after(state: GameState, ...actions: GameAction[]): GameState {
  return actions.reduce(reduce, state);
}

const play = (move: string, side: 0 | 1, nowMs = 0): GameAction => ({ kind: 'play', move, side, nowMs });

describe('limits', () => {
  it('shows the Elo of a level only where it was measured', () => {
    const club = { number: 5, name: 'club', elo: 1410, margin: 263 };
    expect(levelOption(club, true).label).toBe('5 · club · about 1410 Elo ± 263');
    expect(levelOption(club, false).label).toBe('5 · club');
    expect(levelOption({ ...club, elo: null, margin: null }, true).label).toBe('5 · club');
  });

  it('say what their Elo is relative to', () => {
    expect(eloNote('chess', true)).toContain('rated engines');
    expect(eloNote('connect_four', true)).toContain('at random');
    expect(eloNote('santorini', false)).toContain('only known of the shipped champion');
  });

  const methodOf = (limits: 'own' | 'none'): NetworkInfo => ({
    id: 'method:x',
    label: 'x',
    game: 'chess',
    family: 'x',
    note: '',
    limits,
  });

  it('are those that the opponent knows', () => {
    expect(kindFor(undefined, 'level')).toBe('level');
    expect(kindFor(undefined, 'own')).toBe('level');
    expect(kindFor(methodOf('own'), 'level')).toBe('own');
    expect(kindFor(methodOf('own'), 'clock')).toBe('clock');
    expect(kindFor(methodOf('none'), 'clock')).toBe('own');
  });

  it('of a method can be left to itself, and are kept', () => {
    const strength = strengthOf('own', '');
    const state = newGame({ ...SETUP, strength });
    expect(limitsOf(state, 0)).toEqual({ own: true });
    expect(isGameState(JSON.parse(JSON.stringify(state)))).toBe(true);
  });
});

describe('a game', () => {
  it('collects moves', () => {
    const state = after(newGame(SETUP), play('e2e4', 0), play('c7c5', 1));
    expect(recordOf(state)).toEqual({ game: 'chess', start: null, moves: ['e2e4', 'c7c5'] });
    expect(recordOf(state, 1).moves).toEqual(['e2e4']);
  });

  it('takes back to the last decision of the person, answer included', () => {
    const state = after(newGame(SETUP), play('e2e4', 0), play('c7c5', 1), play('g1f3', 0), play('d7d6', 1));
    expect(after(state, { kind: 'takeback', nowMs: 0 }).moves).toEqual(['e2e4', 'c7c5']);
  });

  it('takes back where one side moves twice in a row', () => {
    const state = after(
      newGame({ ...SETUP, game: 'santorini', human: 1 }),
      play('a1', 0),
      play('b2', 0),
      play('c3', 1),
      play('d4', 1),
    );
    expect(after(state, { kind: 'takeback', nowMs: 0 }).moves).toEqual(['a1', 'b2', 'c3']);
  });

  it('takes nothing back before the person has moved', () => {
    const state = after(newGame({ ...SETUP, human: 1 }), play('e2e4', 0));
    expect(canTakeBack(state)).toBe(false);
    expect(after(state, { kind: 'takeback', nowMs: 0 })).toEqual(state);
  });

  it('goes on after a takeback from its end', () => {
    const lost = after(newGame(SETUP), play('f2f3', 0), play('e7e5', 1), { kind: 'resign', nowMs: 0 });
    expect(lost.ending).toEqual({ reason: 'resignation', winner: 1 });
    expect(after(lost, { kind: 'takeback', nowMs: 0 }).ending).toBeNull();
  });

  it('takes no move after its end, and keeps its first end', () => {
    const lost = after(newGame(SETUP), { kind: 'resign', nowMs: 0 });
    expect(after(lost, play('e2e4', 0)).moves).toEqual([]);
    expect(after(lost, { kind: 'flag', side: 1, nowMs: 0 }).ending).toEqual(lost.ending);
  });

  it('shows earlier plies and returns to the newest with a move', () => {
    const state = after(newGame(SETUP), play('e2e4', 0), play('c7c5', 1), { kind: 'show', ply: 1 });
    expect(state.shownPly).toBe(1);
    expect(after(state, { kind: 'show', ply: 2 }).shownPly).toBeNull();
    expect(after(state, { kind: 'show', ply: -4 }).shownPly).toBe(0);
    expect(after(state, play('g1f3', 0)).shownPly).toBeNull();
  });

  it('is seen from the side of the person', () => {
    expect(newGame({ ...SETUP, human: 1 }).flipped).toBe(true);
    expect(after(newGame(SETUP), { kind: 'flip' }).flipped).toBe(true);
  });

  it('survives being stored, and refuses what another program stored', () => {
    const state = after(
      newGame({ ...SETUP, strength: { kind: 'clock', initialMs: 1000, incrementMs: 0 } }),
      play('e2e4', 0),
    );
    expect(isGameState(JSON.parse(JSON.stringify(state)))).toBe(true);
    expect(isGameState({ ...state, movers: [] })).toBe(false);
    expect(isGameState({ ...state, setup: { ...SETUP, strength: { kind: 'magic' } } })).toBe(false);
    expect(isGameState(null)).toBe(false);
  });
});

describe('clocks', () => {
  const timed = newGame({ ...SETUP, strength: { kind: 'clock', initialMs: 60_000, incrementMs: 1_000 } });

  it('stand until the first move, then run for whoever is to move', () => {
    const waiting = after(timed, { kind: 'reached', sideToMove: 0, outcome: null, nowMs: 0 });
    expect(waiting.clock?.running).toBeNull();
    const moved = after(waiting, play('e2e4', 0, 5_000), {
      kind: 'reached',
      sideToMove: 1,
      outcome: null,
      nowMs: 5_000,
    });
    expect(moved.clock?.running).toEqual({ side: 1, sinceMs: 5_000 });
  });

  it('count the time of the side to move and add the increment', () => {
    const clock = press(run(newClock(60_000, 2_000), 0, 0), 0, 10_000);
    expect(leftOf(clock, 0, 99_000)).toBe(52_000);
    expect(leftOf(clock, 1, 99_000)).toBe(60_000);
  });

  it('end the game of whoever runs out', () => {
    const clock = run(newClock(1_000, 0), 1, 0);
    expect(hasFlagged(clock, 999)).toBeNull();
    expect(hasFlagged(clock, 1_000)).toBe(1);
    expect(after(timed, { kind: 'flag', side: 1, nowMs: 0 }).ending).toEqual({ reason: 'time', winner: 0 });
  });

  it('do not count a pause', () => {
    expect(leftOf(pause(run(newClock(10_000, 0), 0, 0), 4_000), 0, 1_000_000)).toBe(6_000);
  });

  it('become the limits of a search', () => {
    const running = after(timed, play('e2e4', 0), { kind: 'reached', sideToMove: 1, outcome: null, nowMs: 0 });
    expect(limitsOf(running, 10_000)).toEqual({
      clock: { whiteMs: 61_000, blackMs: 50_000, whiteIncMs: 1_000, blackIncMs: 1_000 },
    });
  });
});
