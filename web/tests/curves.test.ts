import { describe, expect, it } from 'vitest';
import { groupArena, MOST_BARS } from '../src/charts/ArenaChart';
import { axisOf, smoothed, toCsv } from '../src/live/columns';
import type { IterationRow } from '../src/live/messages';
import { stepsOf, strengthOver as strengthOfSteps } from '../src/live/strength';
import { overlaid, settingsThatDiffer, tablesOf } from '../src/pages/runs/overlay';
import { tickLabels } from '../src/ui/format';

function row(
  iteration: number,
  arenaElo: number | null,
  wasPromoted: boolean,
  rating: number | null = null,
): IterationRow {
  const elo = (value: number) => ({ elo: value, low: value - 10, high: value + 10 });
  return {
    iteration,
    isComplete: true,
    finishedS: iteration * 3_600,
    stageSeconds: {},
    wasPromoted,
    selfplay: null,
    coach: null,
    training: null,
    arena:
      arenaElo === null
        ? null
        : { wins: 6, draws: 2, losses: 2, score: 0.7, elo: elo(arenaElo), wasPromoted, opponent: 'champion' },
    rating: rating === null ? null : elo(rating),
  };
}

const strengthOver = (rows: IterationRow[], estimate: number | null = null) => strengthOfSteps(stepsOf(rows), estimate);

describe('strength', () => {
  it('is measured by ladders, and estimated between them from promotions, which are scaled to fit', () => {
    const rows = [row(1, 40, true, 50), row(2, -10, false), row(3, 600, true), row(4, 200, true), row(5, 5, false, 90)];
    expect(strengthOver(rows)).toEqual([
      { iteration: 1, elo: 50, isMeasured: true },
      { iteration: 2, elo: 50, isMeasured: false },
      { iteration: 3, elo: 80, isMeasured: false },
      { iteration: 4, elo: 90, isMeasured: false },
      { iteration: 5, elo: 90, isMeasured: true },
    ]);
  });

  it('adds the results of promotions after the newest ladder, and before there is one', () => {
    const after = strengthOver([row(1, 40, true, 50), row(2, 30, true), row(3, 20, true)]);
    expect(after.map(({ elo }) => elo)).toEqual([50, 80, 100]);
    expect(strengthOver([row(1, null, false), row(2, 30, true), row(3, 10, false)])).toEqual([
      { iteration: 2, elo: 30, isMeasured: false },
      { iteration: 3, elo: 30, isMeasured: false },
    ]);
  });

  it('leads to the estimate of the server after the newest ladder', () => {
    const rows = [row(1, 400, true, 100), row(2, 300, true), row(3, -5, false), row(4, 100, true)];
    expect(strengthOver(rows, 200).map(({ elo }) => elo)).toEqual([100, 175, 175, 200]);
  });

  it('stays where it was if a ladder measures another value without a promotion', () => {
    const found = strengthOver([row(1, 40, true, 50), row(2, -5, false), row(3, -5, false, 70)]);
    expect(found.map(({ elo }) => elo)).toEqual([50, 50, 70]);
  });
});

describe('columns', () => {
  it('stand over iterations or hours', () => {
    const rows = [row(1, null, false), row(2, null, false)];
    expect(axisOf(rows, 'iteration', 0)).toEqual([1, 2]);
    expect(axisOf(rows, 'hours', 3_600)).toEqual([0, 1]);
  });

  it('are smoothed without filling gaps', () => {
    expect(smoothed([1, null, 3, 5], 2)).toEqual([1, null, 3, 4]);
    expect(smoothed([1, null], 1)).toEqual([1, null]);
  });

  it('become CSV with empty cells where nothing is known', () => {
    expect(
      toCsv([
        { label: 'a', values: [1, 2] },
        { label: 'b, c', values: [null, 0.5] },
      ]),
    ).toBe('a,"b, c"\n1,\n2,0.5\n');
  });
});

describe('arena bars', () => {
  it('are grouped beyond two hundred', () => {
    const grouped = groupArena(Array.from({ length: 1_000 }, (_, index) => row(index + 1, 0, index === 2)));
    expect(grouped.length).toBe(MOST_BARS);
    expect(grouped[0]).toMatchObject({ iteration: 5, wasPromoted: true, arena: { wins: 30, draws: 10, losses: 10 } });
  });
});

describe('runs side by side', () => {
  it('share one x with gaps', () => {
    expect(
      overlaid([
        { x: [1, 2], values: [5, null] },
        { x: [2, 3], values: [6, 7] },
      ]),
    ).toEqual({
      x: [1, 2, 3],
      columns: [
        [5, null, null],
        [null, 6, 7],
      ],
    });
  });

  it('show settings that differ', () => {
    expect(
      settingsThatDiffer([
        { a: '1', b: '2' },
        { a: '1', b: '3', c: '4' },
      ]),
    ).toEqual(['b', 'c']);
  });
});

describe('ticks', () => {
  it.each([
    [
      [10_000, 12_500, 15_000],
      ['10.0 k', '12.5 k', '15.0 k'],
    ],
    [
      [0, 500, 1_000],
      ['0', '500', '1,000'],
    ],
    [
      [1_000_000, 1_250_000],
      ['1.00 M', '1.25 M'],
    ],
    [
      [-0.005, -0.0045, 0],
      ['−0.0050', '−0.0045', '0.0000'],
    ],
    [
      [0, 1e-4, 2e-4],
      ['0.0000', '0.0001', '0.0002'],
    ],
    [[5], ['5']],
    [[], []],
  ])('of one axis share a unit and never round to the same text: %j', (ticks, labels) => {
    expect(tickLabels(ticks)).toEqual(labels);
  });

  it('of shares are percent', () => {
    expect(tickLabels([0, 0.25, 0.5], true)).toEqual(['0 %', '25 %', '50 %']);
    expect(tickLabels([0.999, 0.9995, 1], true)).toEqual(['99.90 %', '99.95 %', '100.00 %']);
  });
});

describe('settings', () => {
  it('stand together by their table', () =>
    expect([...tablesOf(['arena.games', 'train.batch_size', 'train.window.low'])]).toEqual([
      ['arena', ['arena.games']],
      ['train', ['train.batch_size', 'train.window.low']],
    ]));
});
