// The WebAssembly core says what the native core, PyTorch and the server say.

import { describe, expect, test } from 'vitest';
import { AlphaBeta } from '../src/wasm/alphabeta';
import { budgetForClock, budgetForMoveTime, NO_LIMITS } from '../src/wasm/limits';
import {
  chessSetup,
  expected,
  IGNORE,
  isAlone,
  NEVER,
  openEngine,
  PATIENCE,
  playData,
  readEngineFile,
  type Opinion,
} from './engine_files';

const TOLERANCE = 1e-3;

describe.skipIf(isAlone)('agreement', PATIENCE, async () => {
  if (isAlone) return;
  const known = expected();
  const engine = await openEngine();

  test.each(known.perft)('perft of $game from $start to depth $depth', ({ game, start, depth, count }) => {
    expect(engine.rules.perft(game, start, depth)).toBe(BigInt(count));
  });

  test('records lead to the same positions, moves, notation and ends', async () => {
    expect(known.records.length).toBeGreaterThan(100);
    for (const { record, view } of known.records) expect(await engine.position(record)).toEqual(view);
  });

  async function compare(opinions: Opinion[], network: string): Promise<void> {
    let worst = 0;
    for (const { game, text, wdl, priors } of opinions) {
      // Level 1 is a single look of the network that remembers nothing.
      const found = await engine.search({ game, start: text, moves: [] }, network, { level: 1 }, IGNORE, NEVER);
      expect(found.notice).toBeUndefined();
      expect(found.candidates.map(({ move }) => move).sort()).toEqual(Object.keys(priors).sort());
      for (const { move, prior } of found.candidates) worst = Math.max(worst, Math.abs(prior - priors[move]!));
      for (const side of [0, 1, 2] as const) worst = Math.max(worst, Math.abs(found.wdl![side] - wdl[side]));
    }
    expect(worst).toBeLessThan(TOLERANCE);
  }

  test.each(['chess', 'santorini', 'connect_four'] as const)(
    'policy and value of %s in 1,000 positions',
    async (game) => {
      const opinions = known.opinions.filter((opinion) => opinion.game === game);
      expect(opinions.length).toBe(1000);
      await compare(opinions, 'champion');
    },
  );

  test('policy and value of the convolutional network in 1,000 positions', async () => {
    expect(known.towerOpinions.length).toBe(1000);
    await compare(known.towerOpinions, 'tower');
  });

  test('whole searches visit the same moves as often, and levels choose alike with the same seeds', async () => {
    let seed = 0n;
    const levels = await openEngine(readEngineFile, () => seed);
    for (const search of known.searches) {
      const record = { game: search.game, start: search.text, moves: [] };
      const limits = { simulations: playData().levels[search.game][search.level - 1]!.simulations! };
      for (const [text, move] of Object.entries(search.choices)) {
        seed = BigInt(text);
        const played = await levels.search(record, 'champion', { level: search.level }, IGNORE, NEVER);
        expect(played.move).toBe(move);
        expect(played.candidates[0]!.pv[0]).toBe(move);
      }
      const best = await openEngine(); // knows nothing of positions before
      const found = await best.search(record, 'champion', limits, IGNORE, NEVER);
      expect(found.move).toBe(search.move);
      expect(Object.fromEntries(found.candidates.map(({ move, visits }) => [move, visits]))).toEqual(search.visits);
      for (const { move, value } of found.candidates) expect(value).toBeCloseTo(search.values[move]!, 4);
      found.wdl!.forEach((share, side) => expect(share).toBeCloseTo(search.wdl[side]!, 4));
    }
  });

  test('alpha-beta finds the same with the same nodes', async () => {
    const alphaBeta = new AlphaBeta(await chessSetup());
    for (const search of known.alphaBeta) {
      const limits = { ...NO_LIMITS, maxNodes: search.nodes, fresh: true };
      const record = { game: 'chess' as const, start: search.text, moves: [] };
      const found = alphaBeta.search({ record, limits, onProgress: IGNORE }, () => false);
      const best = found.candidates[0]!;
      expect(found.algorithm).toBe('alphabeta');
      const { move, depth } = found;
      const visits = Object.fromEntries(found.candidates.map((candidate) => [candidate.move, candidate.visits]));
      expect({ move, depth, visits, pv: best.pv, mateIn: best.mateIn }).toEqual({
        move: search.move,
        depth: search.depth,
        visits: search.visits,
        pv: search.pv,
        mateIn: search.mateIn,
      });
      expect(best.value).toBeCloseTo(search.value, 4);
    }
  });

  test('clocks are spent as in Python', () => {
    const numbers = playData().clock;
    for (const [remainingS, incrementS, ply, softS, hardS] of known.budgets.clocks) {
      const budget = budgetForClock(remainingS, incrementS, ply, numbers);
      expect(budget.softS).toBeCloseTo(softS, 9);
      expect(budget.hardS).toBeCloseTo(hardS, 9);
    }
    for (const [timeS, softS] of known.budgets.times) {
      expect(budgetForMoveTime(timeS, numbers).softS).toBeCloseTo(softS, 9);
    }
  });
});
