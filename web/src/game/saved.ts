// Games and choices kept in the browser, so that a reload goes on where it was. Checks what it reads back.

import { isGameName } from '../app/router';
import { isObject, onStoredElsewhere, readStored, writeStored } from '../app/storage';
import type { GameName, Side } from '../engine/types';
import { pause } from './clock';
import type { GameSetup, GameState, Strength } from './state';

export function loadGame(game: GameName): GameState | null {
  const state = readStored(`game.${game}`, isGameState);
  return state?.setup.game === game ? state : null;
}

/** Clocks are kept standing: the time while the page was away is nobody's. */
export function saveGame(state: GameState, nowMs: number): void {
  const clock = state.clock === null ? null : pause(state.clock, nowMs);
  writeStored(`game.${state.setup.game}`, { ...state, clock, shownPly: null });
}

/** Calls back with the game when another tab has changed it. */
export function onGameElsewhere(game: GameName, listener: (state: GameState) => void): () => void {
  return onStoredElsewhere(`game.${game}`, () => {
    const state = loadGame(game);
    if (state !== null) listener({ ...state, shownPly: null });
  });
}

export function loadSetup(game: GameName): GameSetup | null {
  const setup = readStored(`setup.${game}`, isSetup);
  return setup?.game === game ? setup : null;
}

export function saveSetup(setup: GameSetup): void {
  writeStored(`setup.${setup.game}`, setup);
}

export function isGameState(value: unknown): value is GameState {
  if (!isObject(value)) return false;
  const { setup, moves, movers, clock, ending, begunMs, flipped } = value;
  return (
    isSetup(setup) &&
    isTexts(moves) &&
    Array.isArray(movers) &&
    movers.every(isSide) &&
    movers.length === moves.length &&
    (clock === null || isClock(clock)) &&
    (ending === null || isOutcome(ending)) &&
    (begunMs === undefined || Number.isFinite(begunMs)) &&
    typeof flipped === 'boolean'
  );
}

function isSetup(value: unknown): value is GameSetup {
  if (!isObject(value)) return false;
  const { game, start, network, networkLabel, strength, human } = value;
  return (
    isGameName(game) &&
    (start === null || typeof start === 'string') &&
    typeof network === 'string' &&
    typeof networkLabel === 'string' &&
    isStrength(strength) &&
    isSide(human)
  );
}

function isStrength(value: unknown): value is Strength {
  if (!isObject(value)) return false;
  switch (value['kind']) {
    case 'level':
      return isPositive(value['level']);
    case 'nodes':
      return isPositive(value['simulations']);
    case 'time':
      return isPositive(value['moveTimeMs']);
    case 'clock':
      return isPositive(value['initialMs']) && typeof value['incrementMs'] === 'number';
    case 'own':
      return true;
    default:
      return false;
  }
}

function isClock(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value['leftMs']) || value['leftMs'].length !== 2) return false;
  return value['leftMs'].every((left) => typeof left === 'number') && typeof value['incrementMs'] === 'number';
}

function isOutcome(value: unknown): boolean {
  return (
    isObject(value) && typeof value['reason'] === 'string' && (value['winner'] === null || isSide(value['winner']))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function isSide(value: unknown): value is Side {
  return value === 0 || value === 1;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value);
}
