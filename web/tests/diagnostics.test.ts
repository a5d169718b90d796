import { describe, expect, it } from 'vitest';
import { newestPlaces, notNarrow, sizeFor, styleOf } from '../src/charts/plot';
import type { IterationRow } from '../src/live/messages';
import { runAddress } from '../src/live/address';
import { chartsOf } from '../src/pages/run/diagnosticCharts';

function row(endReasons: { [reason: string]: number }, stageSeconds: { [stage: string]: number }): IterationRow {
  const numGames = Object.values(endReasons).reduce((sum, count) => sum + count, 0);
  return {
    iteration: 1,
    isComplete: true,
    finishedS: 0,
    stageSeconds,
    wasPromoted: false,
    coach: null,
    training: null,
    arena: null,
    rating: null,
    selfplay: {
      numGames,
      numPositions: 0,
      firstWins: 0,
      draws: 0,
      secondWins: 0,
      numDistinct: 0,
      drawRate: 0,
      meanPlies: 0,
      endReasons,
      simulationsPerS: null,
      positionsPerS: null,
      gamesPerHour: null,
    },
  };
}

const chart = (rows: IterationRow[], title: string) => chartsOf(rows).find((each) => each.title === title);

describe('diagnostics', () => {
  it('name the most frequent ends of games and put the rest together', () => {
    const reasons = { checkmate: 50, stalemate: 3, fifty_moves: 10, adjudicated: 20, a: 9, b: 5, c: 3 };
    const known = row(reasons, {});
    const lines = chart([known], 'How games end')?.lines ?? [];
    expect(lines.map(({ label, read }) => [label, read(known)])).toEqual([
      ['Checkmate', 0.5],
      ['Adjudicated', 0.2],
      ['Fifty moves', 0.1],
      ['A', 0.09],
      ['B', 0.05],
      ['Other', 0.06],
    ]);
  });

  it('leave out stages that never took a second, and keep gaps where a stage was not run', () => {
    const [known, early] = [row({}, { selfplay: 30, coach: 0.2, deploy: 5 }), row({}, { selfplay: 20 })];
    const lines = chart([early, known], 'Time of each stage')?.lines ?? [];
    expect(lines.map(({ label, read }) => [label, read(early), read(known)])).toEqual([
      ['Self-play, s', 20, 30],
      ['Network for people, s', null, 5],
    ]);
  });

  it('have no chart without a number', () => expect(chart([row({}, {})], 'Losses')).toBeUndefined());
});

describe('charts', () => {
  it('tell the newest value of each line, also where the last one is missing', () => {
    expect(
      newestPlaces([
        [1, 2, 3],
        [5, null, null],
        [null, null, null],
      ]),
    ).toEqual([0, 0, null]);
  });

  it('name no place for newest values of different places', () => {
    expect(
      newestPlaces([
        [1, 2, 3],
        [5, null, null],
        [null, 7, 8],
      ]),
    ).toEqual([null, 0, 2]);
  });

  it('give what hardly changes an axis on which it is level', () => {
    const [low, high] = notNarrow(3.0023, 3.004);
    expect(high - low).toBeCloseTo(0.06, 3);
    expect((low + high) / 2).toBeCloseTo(3.00315);
    expect(notNarrow(1, 2)).toEqual([1, 2]);
    expect(notNarrow(-0.015, 0)).toEqual([-0.015, 0]);
  });

  it('leave room for long numbers beside an axis', () => {
    expect(sizeFor(null)).toBe(50);
    expect(sizeFor(['0', '10'])).toBe(50);
    expect(sizeFor(['99.945 %', '99.95 %'])).toBe(68);
  });

  it('draw six lines that differ without colours', () => {
    const dashes = Array.from({ length: 6 }, (_, index) => JSON.stringify(styleOf(index).dash));
    expect(new Set(dashes).size).toBe(6);
  });
});

describe('addresses of a run', () => {
  it('name another run than the served one', () => {
    expect(runAddress(null, '/coach')).toBe('api/run/coach');
    expect(runAddress('a b&c', '/events', { after: 'x:1' })).toBe('api/run/events?after=x%3A1&run=a+b%26c');
  });
});
