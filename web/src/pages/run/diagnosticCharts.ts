// Which numbers of a run stand together, and what is normal for them.

import type { IterationRow } from '../../live/messages';
import { formatFixed, formatPercent } from '../../ui/format';

export interface ChartPlan {
  title: string;
  /** What is normal, and what to do when it is not. */
  normal: string;
  lines: readonly {
    label: string;
    read: (row: IterationRow) => number | null;
    isRight?: boolean;
    format?: (value: number | null) => string;
  }[];
}

const loss = (value: number | null): string => formatFixed(value, 3);
const share = (value: number | null): string => formatPercent(value);
const games = (row: IterationRow): number => Math.max(1, row.selfplay?.numGames ?? 1);

export const CHARTS: readonly ChartPlan[] = [
  {
    title: 'Losses',
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
    normal:
      'Rises to 40–70 %. Flat from the start: the network learns nothing. Close to 100 %: search adds nothing, give it more simulations.',
    lines: [{ label: 'Agreement', read: (row) => row.training?.policyAgreement ?? null, format: share }],
  },
  {
    title: 'Entropy of the policy',
    normal:
      'The network’s entropy approaches that of search and falls slowly. A collapse to 0 means no exploration: more noise or temperature.',
    lines: [
      { label: 'Search (floor of the loss)', read: (row) => row.training?.targetEntropy ?? null, format: loss },
      { label: 'Network', read: (row) => row.training?.policyEntropy ?? null, format: loss },
    ],
  },
  {
    title: 'Value: bias and error',
    normal:
      'Bias stays within ±0.05; a lasting one means that window and present play differ. The error falls with strength.',
    lines: [
      { label: 'Bias', read: (row) => row.training?.valueBias ?? null, format: loss },
      { label: 'Squared error', read: (row) => row.training?.valueError ?? null, isRight: true, format: loss },
    ],
  },
  {
    title: 'Who wins in self-play',
    normal:
      'First and second player draw together in a fair game; draws rise with strength in chess. All games alike: more variety in openings.',
    lines: [
      {
        label: 'First player',
        read: (row) => (row.selfplay === null ? null : row.selfplay.firstWins / games(row)),
        format: share,
      },
      {
        label: 'Second player',
        read: (row) => (row.selfplay === null ? null : row.selfplay.secondWins / games(row)),
        format: share,
      },
      { label: 'Draws', read: (row) => row.selfplay?.drawRate ?? null, format: share },
    ],
  },
  {
    title: 'Games: length and variety',
    normal:
      'Length settles. Distinct games stay near 100 %: fewer mean that self-play repeats itself, so raise the temperature.',
    lines: [
      {
        label: 'Distinct games',
        read: (row) => (row.selfplay === null ? null : row.selfplay.numDistinct / games(row)),
        format: share,
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
    title: 'Time of each stage',
    normal: 'Self-play takes most of it. Training or arena above a third: fewer steps or fewer games.',
    lines: [
      { label: 'Self-play, s', read: (row) => row.stageSeconds['selfplay'] ?? null },
      { label: 'Training, s', read: (row) => row.stageSeconds['train'] ?? null },
      { label: 'Arena, s', read: (row) => row.stageSeconds['arena'] ?? null },
      { label: 'Ladder, s', read: (row) => row.stageSeconds['ladder'] ?? null },
    ],
  },
  {
    title: 'Speed',
    normal:
      'Even, apart from other work on the machine. A step down after a promotion: games have become longer or the network larger.',
    lines: [
      { label: 'Positions/s', read: (row) => row.selfplay?.positionsPerS ?? null },
      { label: 'Simulations/s', read: (row) => row.selfplay?.simulationsPerS ?? null, isRight: true },
    ],
  },
];
