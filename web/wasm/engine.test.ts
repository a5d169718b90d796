// The engine as pages meet it: bad input, networks that do not load, searches that are stopped, games as text.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  EngineProblem,
  type Engine,
  type GameMoves,
  type SearchLimits,
  type SearchProgress,
} from '../src/engine/types';
import { AlphaBeta } from '../src/wasm/alphabeta';
import { WasmEngine } from '../src/wasm/engine';
import { coreLimits, NO_LIMITS } from '../src/wasm/limits';
import type { LocalEngine } from '../src/wasm/local';
import type { Port } from '../src/wasm/messages';
import { serve } from '../src/wasm/service';
import { serveThread, ThreadSearcher, type Thread } from '../src/wasm/thread';
import { chessSetup, IGNORE, isAlone, NEVER, openEngine, PATIENCE, playData, readEngineFile } from './engine_files';

const START: GameMoves = { game: 'chess', start: null, moves: [] };

describe.skipIf(isAlone)('the engine', PATIENCE, () => {
  let engine: LocalEngine;
  beforeAll(async () => {
    engine = await openEngine();
  });

  async function problem(promise: Promise<unknown>): Promise<EngineProblem> {
    const error: unknown = await promise.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EngineProblem);
    return error as EngineProblem;
  }

  test('the tree of a search can be looked at along a path', async () => {
    const own = await openEngine();
    expect(await own.lookInside(START, 'champion', [])).toBeNull();
    const found = await own.search(START, 'champion', { simulations: 400 }, IGNORE, NEVER);
    const root = (await own.lookInside(START, 'champion', []))!;
    expect(root.visits).toBe(400);
    expect(root.moves.reduce((sum, { visits }) => sum + visits, 0)).toBe(399);
    expect(root.moves[0]!.move).toBe(found.move);
    const below = (await own.lookInside(START, 'champion', [found.move]))!;
    expect(below.sideToMove).toBe(1);
    expect(below.visits).toBe(root.moves[0]!.visits);
    expect(below.value).toBeCloseTo(-root.moves[0]!.value, 4);
    // c depends on the node alone.
    const factors = root.moves.map(({ exploration, visits, prior }) => (exploration * (1 + visits)) / prior);
    for (const factor of factors) expect(factor / factors[0]!).toBeCloseTo(1, 1);
    expect(await own.lookInside({ ...START, moves: ['a2a3'] }, 'champion', [])).toBeNull();
    expect((await problem(own.lookInside(START, 'champion', ['e2e5']))).message).toContain('e2e5');
    expect((await own.lookInside(START, 'champion', []))!.visits).toBe(400);
  });

  test('levels have names, and Elo where it was measured', async () => {
    const levels = await engine.levels('chess');
    expect(levels.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(levels[0]).toMatchObject({ name: 'novice' });
  });

  test('bad positions and moves are refused in words, and the engine goes on', async () => {
    expect((await problem(engine.position({ ...START, start: '8/8/8 w - - 0 1' }))).message).toContain(
      "FEN field placement: expected 8 ranks separated by '/', got '8/8/8'",
    );
    expect((await problem(engine.position({ ...START, moves: ['e2e5'] }))).message).toContain(
      "illegal move 'e2e5' in 'rnbq",
    );
    expect((await problem(engine.position({ ...START, moves: ['e2e4 e7e5'] }))).message).toContain('illegal move');
    expect((await problem(engine.position({ ...START, moves: [''] }))).message).toContain('illegal move');
    expect((await problem(engine.position({ ...START, start: '' }))).message).toContain('FEN');
    expect((await engine.position(START)).legalMoves).toHaveLength(20);
  });

  test('a search refuses what cannot be searched', async () => {
    const mate: GameMoves = { ...START, moves: ['f2f3', 'e7e5', 'g2g4', 'd8h4'] };
    expect((await problem(engine.search(mate, 'champion', { level: 1 }, IGNORE, NEVER))).message).toBe(
      'the game is over',
    );
    expect((await problem(engine.search(START, 'nobody', { level: 1 }, IGNORE, NEVER))).message).toContain("'nobody'");
    expect((await problem(engine.search(START, 'champion', { level: 11 }, IGNORE, NEVER))).message).toContain(
      'level 11',
    );
    expect((await problem(engine.search(START, 'champion', {}, IGNORE, NEVER))).message).toContain('no limit');
  });

  test('a search reports while it runs', async () => {
    const controller = new AbortController();
    const seen: SearchProgress[] = [];
    const onProgress = (progress: SearchProgress): void => {
      if (seen.push(progress) === 3) controller.abort();
    };
    await expect(engine.search(START, 'champion', { infinite: true }, onProgress, controller.signal)).rejects.toThrow();
    expect(seen).toHaveLength(3);
    expect(seen.every(({ done, candidates }) => !done && candidates.length === 20)).toBe(true);
    expect(seen[2]!.nodes).toBeGreaterThan(seen[0]!.nodes);
    expect(seen[2]!.candidates[0]!.pv.length).toBeGreaterThan(1);
  });

  test.each([
    { simulations: 777 },
    { moveTimeMs: 100 },
    { clock: { whiteMs: 3000, blackMs: 1, whiteIncMs: 0, blackIncMs: 0 } },
  ])('a search within %o ends with a move', async (limits) => {
    const found = await engine.search(START, 'champion', limits, IGNORE, NEVER);
    expect(found.done).toBe(true);
    expect(found.move).toBe(found.candidates[0]?.move);
    expect(found.wdl!.reduce((sum, share) => sum + share)).toBeCloseTo(1, 6);
    if (limits.simulations !== undefined) expect(found.nodes).toBe(limits.simulations);
  });

  test('chess on time is searched by alpha-beta, counted simulations and other games by the tree', async () => {
    const algorithm = async (record: GameMoves, limits: SearchLimits): Promise<string | undefined> =>
      (await engine.search(record, 'champion', limits, IGNORE, NEVER)).algorithm;
    const clock = { whiteMs: 2000, blackMs: 2000, whiteIncMs: 0, blackIncMs: 0 };
    expect(await algorithm(START, { moveTimeMs: 50 })).toBe('alphabeta');
    expect(await algorithm(START, { clock })).toBe('alphabeta');
    expect(await algorithm(START, { simulations: 50 })).toBe('mcts');
    expect(await algorithm(START, { level: 1 })).toBe('mcts');
    expect(await algorithm({ ...START, game: 'santorini' }, { moveTimeMs: 50 })).toBe('mcts');
    const uniform = await engine.search(START, 'uniform', { moveTimeMs: 50 }, IGNORE, NEVER);
    expect(uniform.algorithm).toBe('mcts');
  });

  test('alpha-beta reports while it runs, ends when it is told to, and plays on', async () => {
    const controller = new AbortController();
    const seen: SearchProgress[] = [];
    const onProgress = (progress: SearchProgress): void => {
      if (seen.push(progress) === 2) controller.abort(new Error('enough'));
    };
    const limits = { moveTimeMs: 600_000 };
    await expect(engine.search(START, 'champion', limits, onProgress, controller.signal)).rejects.toThrow('enough');
    expect(seen).toHaveLength(2);
    expect(seen.every(({ done, candidates }) => !done && candidates.length === 20)).toBe(true);
    const found = await engine.search(START, 'champion', { moveTimeMs: 50 }, IGNORE, NEVER);
    expect(found.move).toBe(found.candidates[0]!.move);
    expect(found.candidates[0]!.notation).not.toBe('');
  });

  test('alpha-beta in a thread: a search, a stop that ends the thread, a damaged network', async () => {
    const ended: MessagePort[] = [];
    const spawn = (): Thread => {
      const { port1, port2 } = new MessageChannel();
      serveThread(port2 as unknown as Port, async (setup) => new AlphaBeta(setup));
      const terminate = (): void => {
        ended.push(port1);
        port1.close();
      };
      return Object.assign(port1 as unknown as Port, { terminate, onerror: null });
    };
    const setup = await chessSetup();
    const limits = { ...NO_LIMITS, maxNodes: 500 };
    const searcher = await ThreadSearcher.open(spawn(), setup);
    const found = await searcher.search({ record: START, limits, onProgress: IGNORE, stop: NEVER, choose: null });
    expect(found.nodes).toBe(500);
    expect(searcher.isAlive).toBe(true);
    const controller = new AbortController();
    const stopping = searcher.search({
      record: START,
      limits,
      onProgress: IGNORE,
      stop: controller.signal,
      choose: null,
    });
    controller.abort(new Error('enough'));
    await expect(stopping).rejects.toThrow('enough');
    expect(searcher.isAlive).toBe(false);
    expect(ended).toHaveLength(1);
    await expect(ThreadSearcher.open(spawn(), { ...setup, file: new Uint8Array(100) })).rejects.toThrow('safetensors');
    expect(ended).toHaveLength(2);
  });

  test.each([{ algorithm: 'mcts' as const }, { algorithm: 'alphabeta' as const }])(
    'a search by $algorithm keeps to the moves it is given',
    async ({ algorithm }) => {
      const limits = { simulations: 300, algorithm, onlyMoves: ['a2a3', 'h2h4'] };
      const found = await engine.search(START, 'champion', limits, IGNORE, NEVER);
      expect(found.candidates.map(({ move }) => move).sort()).toEqual(['a2a3', 'h2h4']);
      const illegal = { ...limits, onlyMoves: ['e2e5'] };
      expect((await problem(engine.search(START, 'champion', illegal, IGNORE, NEVER))).message).toContain("'e2e5'");
    },
  );

  test('an analysis by alpha-beta has several lines, a game one', async () => {
    const data = playData();
    const numLines = (limits: SearchLimits): number =>
      coreLimits(limits, { game: 'chess', sideToMove: 0, ply: 0, numLegalMoves: 20 }, data).numLines;
    const analysis: SearchLimits = { simulations: 5000, algorithm: 'alphabeta' };
    expect(numLines(analysis)).toBe(data.numAlphaBetaLines);
    expect([numLines({ moveTimeMs: 50 }), numLines({ simulations: 50 }), numLines({ infinite: true })]).toEqual([
      1, 1, 1,
    ]);
    const { candidates } = await engine.search(START, 'champion', analysis, IGNORE, NEVER);
    expect(candidates.slice(0, data.numAlphaBetaLines).every(({ pv }) => pv.length > 1)).toBe(true);
    // As on the server: other moves have bounds, unless nobody tried them.
    expect(candidates.filter(({ visits }) => visits > 0).map(({ isBound }) => isBound)).toEqual(
      candidates.filter(({ visits }) => visits > 0).map((_, rank) => rank >= data.numAlphaBetaLines),
    );
  });

  test('alpha-beta tells the distance to a mate', async () => {
    const record: GameMoves = { ...START, start: '6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1' };
    const found = await engine.search(record, 'champion', { moveTimeMs: 600_000 }, IGNORE, NEVER);
    expect(found.candidates[0]).toMatchObject({ move: 'd1d8', notation: 'Rd8#', mateIn: 1 });
    expect(found.wdl).toEqual([1, 0, 0]);
  });

  test('a page hears how far its network is on its way', async () => {
    const other = await openEngine(async (name, onBytes) => {
      if (name !== 'chess.safetensors') return readEngineFile(name);
      onBytes?.(1000);
      // Until the page has heard of it.
      await heard;
      return readEngineFile(name);
    });
    let tell: () => void = IGNORE;
    const heard = new Promise<void>((resolve) => (tell = resolve));
    const downloads: SearchProgress['download'][] = [];
    const onProgress = ({ download }: SearchProgress): void => {
      if (download !== undefined) downloads.push(download);
      tell();
    };
    await other.search(START, 'champion', { level: 1 }, onProgress, NEVER);
    const { length } = await readEngineFile('chess.safetensors');
    expect(downloads[0]).toEqual({ doneBytes: 1000, totalBytes: length });
  });

  test.each(['champion', 'uniform', 'tower'])(
    'a search of santorini by %s stops when it is told to',
    async (network) => {
      const controller = new AbortController();
      const stopping = engine.search(
        { game: 'santorini', start: null, moves: [] },
        network,
        { infinite: true },
        () => controller.abort(new Error('enough')),
        controller.signal,
      );
      await expect(stopping).rejects.toThrow('enough');
    },
  );

  test('a mate in one is found and counts as won', async () => {
    const record: GameMoves = { ...START, start: '6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1' };
    const found = await engine.search(record, 'uniform', { simulations: 2000 }, IGNORE, NEVER);
    expect(found.move).toBe('d1d8');
    expect(found.wdl).toEqual([1, 0, 0]);
    expect(found.candidates[0]?.notation).toBe('Rd8#');
  });

  test.each([
    ['is missing', () => Promise.reject(new Error('404'))],
    ['is no network', () => Promise.resolve(new Uint8Array(100))],
    ['is cut off', async () => (await readEngineFile('chess.safetensors')).subarray(0, 100_000)],
    ['is for another game', () => readEngineFile('santorini.safetensors')],
  ])('a network whose file %s is told about, and search plays alone', async (_, damaged) => {
    const isDamaged = true;
    const other = await openEngine((name) =>
      name === 'chess.safetensors' && isDamaged ? damaged() : readEngineFile(name),
    );
    const found = await other.search(START, 'champion', { simulations: 50 }, IGNORE, NEVER);
    expect(found.notice).toContain('could not be loaded');
    expect(new Set(found.candidates.map(({ prior }) => prior.toFixed(3)))).toEqual(new Set(['0.050']));
  });

  test('a network that loads at the second try is used', async () => {
    let tries = 0;
    const other = await openEngine(async (name) => {
      if (name === 'chess.safetensors' && ++tries === 1) throw new Error('offline');
      return readEngineFile(name);
    });
    expect((await other.search(START, 'champion', { level: 1 }, IGNORE, NEVER)).notice).toContain('offline');
    expect((await other.search(START, 'champion', { level: 1 }, IGNORE, NEVER)).notice).toBeUndefined();
  });

  test('games come and go as PGN', async () => {
    const pgn =
      '[White "A \\"b\\""]\n[Result "1-0"]\n\n1. e4 {best} e5 (1... c5 2. Nf3 (2. c3) d6) 2.Nf3 $1 Nc6 3. Bb5 a6?!\n4. 0-0 Nf6 ; why\n1-0';
    const record = await engine.importGame('chess', pgn);
    expect(record.moves).toEqual(['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6', 'e1g1', 'g8f6']);
    const text = await engine.exportGame(record, ['Ann "x"', 'Bob']);
    expect(text).toContain('[White "Ann \\"x\\""]');
    expect(text).toContain('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 *');
    expect(await engine.importGame('chess', text)).toEqual(record);
    expect(await engine.exportGame(record, ['a', 'b'], '0-1')).toContain('[Result "0-1"]');
    expect(await engine.exportGame(record, ['a', 'b'], '0-1', '2026.11.30')).toContain('[Date "2026.11.30"]');
  });

  test('positions come as text, and games from positions go on from there', async () => {
    const fen = '4k3/8/8/8/8/8/4P3/4K3 b - - 0 30';
    const record = await engine.importGame('chess', `  ${fen}\n`);
    expect(record).toEqual({ game: 'chess', start: fen, moves: [] });
    const text = await engine.exportGame({ ...record, moves: ['e8e7', 'e2e4'] }, ['a', 'b']);
    expect(text).toContain(`[FEN "${fen}"]`);
    expect(text).toContain('30... Ke7 31. e4 *');
    expect((await engine.importGame('chess', text)).moves).toEqual(['e8e7', 'e2e4']);
  });

  test('santorini goes out as a line of JSON and comes back', async () => {
    const record: GameMoves = { game: 'santorini', start: null, moves: ['c3', 'b2', 'd4', 'a1'] };
    const text = await engine.exportGame(record, ['a', 'b']);
    expect((await engine.importGame('santorini', text)).moves).toEqual(record.moves);
    expect((await problem(engine.importGame('santorini', 'hello'))).hint).toContain('00000/00000');
    expect((await problem(engine.importGame('chess', text))).message).toContain('this is a game of santorini');
    expect((await problem(engine.importGame('chess', 'e4 e9'))).message).toContain("illegal move 'e9'");
    expect((await problem(engine.importGame('chess', ' '))).message).toContain('no text');
  });

  test('the page and the worker understand each other', async () => {
    const { port1, port2 } = new MessageChannel();
    serve(port2 as unknown as Port, () => openEngine());
    const page: Engine & WasmEngine = new WasmEngine(port1 as unknown as Port);
    try {
      await page.open('');
      expect((await page.networks('santorini')).map(({ id }) => id)).toEqual(['champion', 'tower', 'uniform']);
      expect((await page.position(START)).legalMoves).toHaveLength(20);
      expect((await problem(page.position({ ...START, moves: ['xx'] }))).hint).not.toBe('');
      const controller = new AbortController();
      const stopping = page.search(START, 'champion', { infinite: true }, () => controller.abort(), controller.signal);
      await expect(stopping).rejects.toHaveProperty('name', 'AbortError');
      const [one, two] = await Promise.all([
        page.search(START, 'champion', { simulations: 3000 }, IGNORE, NEVER),
        page.search(START, 'champion', { simulations: 3000 }, IGNORE, NEVER),
      ]);
      expect(one.nodes).toBe(3000);
      expect(two.nodes).toBe(3000);
      await expect(page.search(START, 'champion', { level: 1 }, IGNORE, AbortSignal.abort())).rejects.toThrow();
    } finally {
      port1.close();
    }
  });
});
