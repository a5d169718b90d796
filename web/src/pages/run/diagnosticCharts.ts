// Which numbers of a run stand together, and what is normal for them. Pure.

import type { IterationRow } from '../../live/messages';
import { MOST_LINES } from '../../charts/LineChart';
import { formatFixed } from '../../ui/format';
import { capital } from '../../ui/text';
import { reasonText } from '../../ui/words';

/** What a chart is about; a narrow page shows one of them at a time. */
export type Group = 'network' | 'games' | 'training';

export interface ChartPlan {
  title: string;
  group: Group;
  /** What is normal, and what to do when it is not. */
  normal: string;
  lines: readonly {
    label: string;
    read: (row: IterationRow) => number | null;
    isRight?: boolean;
    isShare?: boolean;
    format?: (value: number | null) => string;
  }[];
}

const loss = (value: number | null): string => formatFixed(value, 3);
const games = (row: IterationRow): number => Math.max(1, row.selfplay?.numGames ?? 1);

const CHARTS: readonly ChartPlan[] = [
  {
    title: 'Losses',
    group: 'network',
    normal:
      'Both fall, then level off. Hold-out far above training means overfitting: fewer uses of a position, or a larger window.',
    lines: [
      { label: 'Policy', read: (row) => row.training?.policyLoss ?? null, format: loss },
      { label: 'Policy, hold-out', read: (row) => row.training?.holdoutPolicyLoss ?? null, format: loss },
      { label: 'Value', read: (row) => row.training?.valueLoss ?? null, format: loss },
      { label: 'Value, hold-out', read: (row) => row.training?.holdoutValueLoss ?? null, format: loss },
    ],
  },
  {
    title: 'Agreement of network and search',
    group: 'network',
    normal:
      'Rises to 40–70 %. Flat from the start: the network learns nothing. Close to 100 %: search adds nothing, give it more simulations.',
    lines: [{ label: 'Agreement', read: (row) => row.training?.policyAgreement ?? null, isShare: true }],
  },
  {
    title: 'Entropy of the policy',
    group: 'network',
    normal:
      'The network’s entropy approaches that of search and falls slowly. A collapse to 0 means no exploration: more noise or temperature.',
    lines: [
      { label: 'Search (floor of the loss)', read: (row) => row.training?.targetEntropy ?? null, format: loss },
      { label: 'Network', read: (row) => row.training?.policyEntropy ?? null, format: loss },
    ],
  },
  {
    title: 'Value: bias and error',
    group: 'network',
    normal:
      'Bias stays within ±0.05; a lasting one means that window and present play differ. The error falls with strength.',
    lines: [
      { label: 'Bias', read: (row) => row.training?.valueBias ?? null, format: loss },
      { label: 'Squared error', read: (row) => row.training?.valueError ?? null, isRight: true, format: loss },
    ],
  },
  {
    title: 'Who wins in self-play',
    group: 'games',
    normal:
      'First and second player draw together in a fair game; draws rise with strength in chess. All games alike: more variety in openings.',
    lines: [
      {
        label: 'First player',
        read: (row) => (row.selfplay === null ? null : row.selfplay.firstWins / games(row)),
        isShare: true,
      },
      {
        label: 'Second player',
        read: (row) => (row.selfplay === null ? null : row.selfplay.secondWins / games(row)),
        isShare: true,
      },
      { label: 'Draws', read: (row) => row.selfplay?.drawRate ?? null, isShare: true },
    ],
  },
  {
    title: 'Games: length and variety',
    group: 'games',
    normal:
      'Length settles. Distinct games stay near 100 %: fewer mean that self-play repeats itself, so raise the temperature.',
    lines: [
      {
        label: 'Distinct games',
        read: (row) => (row.selfplay === null ? null : row.selfplay.numDistinct / games(row)),
        isShare: true,
      },
      {
        label: 'Plies a game',
        read: (row) => row.selfplay?.meanPlies ?? null,
        isRight: true,
        format: (value) => formatFixed(value, 0),
      },
    ],
  },
  {
    title: 'Window and learning rate',
    group: 'training',
    normal: 'The window grows to its limit; the learning rate follows its schedule. A rate of 0 trains nothing.',
    lines: [
      { label: 'Window, positions', read: (row) => row.training?.window ?? null },
      {
        label: 'Learning rate',
        read: (row) => row.training?.learningRate ?? null,
        isRight: true,
        format: (value) => (value === null ? '–' : value.toExponential(1)),
      },
    ],
  },
  {
    title: 'Speed',
    group: 'training',
    normal:
      'Even, apart from other work on the machine. A step down after a promotion: games have become longer or the network larger.',
    lines: [
      { label: 'Positions/s', read: (row) => row.selfplay?.positionsPerS ?? null },
      { label: 'Simulations/s', read: (row) => row.selfplay?.simulationsPerS ?? null, isRight: true },
    ],
  },
  {
    title: 'Training',
    group: 'training',
    normal:
      'A position is used a few times. Far more: training repeats itself, so play more positions or take fewer steps.',
    lines: [
      {
        label: 'Uses of a position',
        read: (row) => row.training?.usesPerPosition ?? null,
        format: (value) => formatFixed(value, 1),
      },
      { label: 'Positions/s', read: (row) => row.training?.samplesPerS ?? null, isRight: true },
    ],
  },
];

const STAGES: readonly (readonly [name: string, label: string])[] = [
  ['selfplay', 'Self-play, s'],
  ['train', 'Training, s'],
  ['arena', 'Arena, s'],
  ['label', 'Labels, s'],
  ['ladder', 'Ladder, s'],
  ['coach', 'Coach, s'],
  ['deploy', 'Network for people, s'],
];

/** Only stages that ever took a second: the others would be lines along the bottom. */
function stageChart(rows: readonly IterationRow[]): ChartPlan {
  const used = STAGES.filter(([name]) => rows.some((row) => (row.stageSeconds[name] ?? 0) >= 1));
  return {
    title: 'Time of each stage',
    group: 'training',
    normal: 'Self-play takes most of it. Training or arena above a third: fewer steps or fewer games.',
    lines: used.map(([name, label]) => ({ label, read: (row) => row.stageSeconds[name] ?? null })),
  };
}

/** How games end: the most frequent reasons by name, the rest together. */
function endsChart(rows: readonly IterationRow[]): ChartPlan {
  const totals = new Map<string, number>();
  for (const { selfplay } of rows)
    for (const [reason, count] of Object.entries(selfplay?.endReasons ?? {}))
      totals.set(reason, (totals.get(reason) ?? 0) + count);
  const reasons = [...totals].sort(([, left], [, right]) => right - left).map(([reason]) => reason);
  const named = reasons.length > MOST_LINES ? reasons.slice(0, MOST_LINES - 1) : reasons;
  const rest = reasons.slice(named.length);
  const shareOf = (row: IterationRow, wanted: readonly string[]): number | null =>
    row.selfplay === null
      ? null
      : wanted.reduce((sum, reason) => sum + (row.selfplay?.endReasons[reason] ?? 0), 0) / games(row);
  const line = (label: string, wanted: readonly string[]): ChartPlan['lines'][number] => ({
    label,
    read: (row) => shareOf(row, wanted),
    isShare: true,
  });
  return {
    title: 'How games end',
    group: 'games',
    normal:
      'Decisive ends grow at first, then draws by rule. Many games at the limit of plies: nobody knows how to win yet, or the limit is too low.',
    lines: [
      ...named.map((reason) => line(capital(reasonText(reason)), [reason])),
      ...(rest.length > 0 ? [line('Other', rest)] : []),
    ],
  };
}

/** Every chart that has something to show. */
export function chartsOf(rows: readonly IterationRow[]): ChartPlan[] {
  return [...CHARTS, endsChart(rows), stageChart(rows)].filter((chart) =>
    rows.some((row) => chart.lines.some(({ read }) => read(row) !== null)),
  );
}
