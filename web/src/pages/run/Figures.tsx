// The run in a few numbers.

import type { IterationRow, RunView } from '../../live/messages';
import { strengthOver } from '../../live/strength';
import { formatCount, formatFixed, formatPercent, formatShort, formatSigned } from '../../ui/format';
import { Panel } from '../../ui/parts';

export function Figures({ run, rows }: { run: RunView; rows: readonly IterationRow[] }) {
  const known = (value: number): number | null => (value > 0 ? value : null); // 0 is "not known yet" here
  const figures: [string, string, string?][] = [
    ...strengthFigures(run, rows),
    ['Score against it', formatPercent(run.scoreAgainstFirst, 1)],
    [
      'Promotions',
      formatCount(run.numPromotions),
      run.championIteration === 0 ? 'the random start still leads' : `champion of iteration ${run.championIteration}`,
    ],
    ['Positions', formatShort(run.numPositions), `${formatCount(run.numGames)} games`],
    [
      'Positions a second',
      formatCount(known(run.positionsPerS)),
      run.simulationsPerS > 0 ? `${formatShort(run.simulationsPerS)} simulations` : '',
    ],
    ['Games an hour', run.gamesPerHour > 0 ? formatShort(run.gamesPerHour) : '–'],
    [
      'Draws',
      run.meanPlies > 0 ? formatPercent(run.drawRate) : '–',
      run.meanPlies > 0 ? `${formatFixed(run.meanPlies, 0)} plies a game` : '',
    ],
    ['Memory', run.memoryMb > 0 ? `${formatCount(run.memoryMb)} MB` : '–'],
  ];
  return (
    <Panel title="Figures" class="figures">
      <dl>
        {figures.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
              {note !== undefined && note !== '' && <span class="muted small">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** What was measured stands apart from what is estimated since. */
function strengthFigures(run: RunView, rows: readonly IterationRow[]): [string, string, string?][] {
  const { rating } = run;
  const newest = strengthOver(rows).at(-1);
  const interval =
    rating === null
      ? ''
      : `${formatSigned(rating.low, 0)} to ${formatSigned(rating.high, 0)}, iteration ${rating.iteration}`;
  const figures: [string, string, string?][] = [
    [
      'Elo over the first champion',
      rating === null ? '–' : formatSigned(rating.elo, 0),
      rating === null ? 'the first ladder measures it' : interval,
    ],
  ];
  if (newest !== undefined && !newest.isMeasured && run.championIteration > (rating?.iteration ?? 0)) {
    figures.push([
      'Estimated since',
      `≈ ${formatSigned(newest.elo, 0)}`,
      `arena results up to iteration ${run.championIteration}`,
    ]);
  }
  return figures;
}
