// What the tests of the WebAssembly engine share: its files as `make site` puts them together, and what Python expects
// (tests/wasm/expectations.py). Without MILTON_EXPECTED there is nothing to compare with: run `pytest tests/wasm`.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GameName, PositionView, GameMoves } from '../src/engine/types';
import { LocalEngine } from '../src/wasm/local';
import type { ReadFile } from '../src/wasm/networks';
import type { PlayData } from '../src/wasm/playdata';
import type { SparseSetup } from '../src/wasm/sparse';

const ENGINE_FOLDER = join(import.meta.dirname, '../public-site/engine');
const EXPECTED_FOLDER = process.env['MILTON_EXPECTED'] ?? '';

export const isAlone = EXPECTED_FOLDER === '';

export interface Opinion {
  game: GameName;
  text: string;
  wdl: [number, number, number];
  priors: { [move: string]: number };
}

export interface Expected {
  perft: { game: GameName; start: string | null; depth: number; count: number }[];
  records: { record: GameMoves; view: PositionView }[];
  opinions: Opinion[];
  towerOpinions: Opinion[];
  searches: {
    game: GameName;
    text: string;
    level: number;
    move: string;
    visits: { [move: string]: number };
    values: { [move: string]: number };
    wdl: [number, number, number];
    /** Seeds (64 bits, as text) and what the level plays with them. */
    choices: { [seed: string]: string };
  }[];
  alphaBeta: {
    text: string;
    nodes: number;
    move: string;
    depth: number;
    value: number;
    mateIn: number | null;
    pv: string[];
    visits: { [move: string]: number };
  }[];
  budgets: { clocks: [number, number, number, number, number][]; times: [number, number][] };
}

export function expected(): Expected {
  return JSON.parse(readFileSync(join(EXPECTED_FOLDER, 'expected.json'), 'utf8')) as Expected;
}

export function playData(): PlayData {
  return JSON.parse(readFileSync(join(ENGINE_FOLDER, 'play.json'), 'utf8')) as PlayData;
}

/** The site's files. */
export const readEngineFile: ReadFile = async (name) => {
  if (name !== 'play.json') return readFile(join(ENGINE_FOLDER, name));
  const data = playData();
  // Of every game, so that a level looks at one position only.
  for (const levels of Object.values(data.levels)) levels[0]!.simulations = 1;
  return new TextEncoder().encode(JSON.stringify(data));
};

/** The chess champion, as it is handed to a thread. */
export async function chessSetup(): Promise<SparseSetup> {
  const [code, file] = await Promise.all([readEngineFile('milton.wasm'), readEngineFile('chess.safetensors')]);
  const module = await WebAssembly.compile(code as BufferSource);
  return { module, game: 'chess', file, scales: playData().gridScales };
}

export function openEngine(readFileOfEngine: ReadFile = readEngineFile, newSeed?: () => bigint): Promise<LocalEngine> {
  return LocalEngine.open(readFileOfEngine, undefined, newSeed);
}

/** Busy machines are slow; nothing here waits for time to pass. */
export const PATIENCE = { timeout: 600_000 };
export const NEVER = new AbortController().signal;
export const IGNORE = (): void => undefined;
