// Alpha-beta with several threads in one memory: threads of Node.js stand for the workers of a page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { transformWithOxc } from 'vite';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GameMoves, SearchProgress } from '../src/engine/types';
import { AlphaBeta } from '../src/wasm/alphabeta';
import { NO_LIMITS } from '../src/wasm/limits';
import { threadsFor, type Lender } from '../src/wasm/sharing';
import { chessSetup, IGNORE, isAlone, PATIENCE, readEngineFile } from './engine_files';

const RECORD: GameMoves = { game: 'chess', start: null, moves: ['e2e4', 'e7e5'] };
const SOURCE = join(import.meta.dirname, '../src/wasm/lentThread.ts');
const MAIN = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (loan) => lendThread(loan, () => parentPort.postMessage('ready')));
`;

test('a page that is not isolated has one thread, another one core less than there are', () => {
  expect(threadsFor(8, false)).toBe(1);
  expect([1, 2, 4, 64].map((numCores) => threadsFor(numCores, true))).toEqual([1, 2, 3, 8]);
});

describe.skipIf(isAlone)('threads', PATIENCE, () => {
  let program: URL;
  const workers: Worker[] = [];

  beforeAll(async () => {
    const { code } = await transformWithOxc(readFileSync(SOURCE, 'utf8'), SOURCE);
    program = new URL(`data:text/javascript,${encodeURIComponent(code + MAIN)}`);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
  });

  function spawn(): Lender {
    const worker = new Worker(program);
    workers.push(worker);
    const lender: Lender = { postMessage: (loan) => worker.postMessage(loan), onmessage: null, onerror: null };
    worker.on('message', (data) => lender.onmessage?.({ data } as MessageEvent));
    worker.on('error', (error) => lender.onerror?.({ message: error.message } as ErrorEvent));
    return lender;
  }

  async function open(numThreads: number): Promise<AlphaBeta> {
    const module = await WebAssembly.compile((await readEngineFile('milton-threads.wasm')) as BufferSource);
    return AlphaBeta.open({ ...(await chessSetup()), module, numThreads }, spawn);
  }

  test('search together, again and again', async () => {
    const alphaBeta = await open(3);
    const limits = { ...NO_LIMITS, maxNodes: 30_000 };
    for (const ply of [0, 1, 2]) {
      const record = { ...RECORD, moves: RECORD.moves.slice(0, ply) };
      const found = alphaBeta.search({ record, limits, onProgress: IGNORE }, () => false);
      expect(found.numThreads).toBe(3);
      expect(found.nodes).toBeGreaterThanOrEqual(30_000);
      expect(found.candidates[0]!.move).toBe(found.move);
    }
  });

  test('share the work, and hear a stop', async () => {
    const alphaBeta = await open(2);
    const seen: SearchProgress[] = [];
    const onProgress = (progress: SearchProgress): void => void seen.push(progress);
    // Visits are those of the thread that decides; the other one has the rest of the nodes.
    const isShared = ({ nodes, candidates }: SearchProgress): boolean =>
      nodes > 1000 + candidates.reduce((sum, { visits }) => sum + visits, 0);
    const stopped = alphaBeta.search({ record: RECORD, limits: NO_LIMITS, onProgress }, () => seen.some(isShared));
    // Only such a report ends it: nothing else is a limit.
    expect(seen.some(isShared)).toBe(true);
    expect(stopped.move).not.toBe('');
    const limits = { ...NO_LIMITS, maxNodes: 2000 };
    expect(alphaBeta.search({ record: RECORD, limits, onProgress: IGNORE }, () => false).move).not.toBe('');
  });

  test('find a mate', async () => {
    const alphaBeta = await open(2);
    const record: GameMoves = { ...RECORD, start: '6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1', moves: [] };
    const found = alphaBeta.search({ record, limits: NO_LIMITS, onProgress: IGNORE }, () => false);
    expect(found.candidates[0]).toMatchObject({ move: 'd1d8', mateIn: 1 });
  });

  test('a worker that does not start is done without', async () => {
    program = new URL('data:text/javascript,throw new Error("no thread")');
    const alphaBeta = await open(2);
    const limits = { ...NO_LIMITS, maxNodes: 2000 };
    const found = alphaBeta.search({ record: RECORD, limits, onProgress: IGNORE }, () => false);
    expect(found.numThreads).toBe(1);
  });
});
