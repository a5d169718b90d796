// The run in a few numbers.

import type { AnchoredView, IterationRow, RunView } from '../../live/messages';
import { stepsOf, strengthOver } from '../../live/strength';
import { countText, formatCount, formatFixed, formatPercent, formatShort, formatSigned } from '../../ui/format';
import { Panel } from '../../ui/parts';

/** Name, value, and what it belongs to. */
type Figure = [string, string, string?];

export function Figures({ run, rows }: { run: RunView; rows: readonly IterationRow[] }) {
  const known = (value: number): number | null => (value > 0 ? value : null); // 0 is "not known yet" here
  const figures: Figure[] = [
    ...strengthFigures(run, rows),
    ...(run.scoreAgainstFirst === null ? [] : [scoreFigure(run, run.scoreAgainstFirst)]),
    [
      'Promotions',
      formatCount(run.numPromotions),
      run.championIteration === 0 ? 'the random start still leads' : `champion of iteration ${run.championIteration}`,
    ],
    positionsFigure(run, rows),
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
function strengthFigures(run: RunView, rows: readonly IterationRow[]): Figure[] {
  const { rating } = run;
  const newest = strengthOver(stepsOf(rows), run.estimatedElo).at(-1);
  const interval =
    rating === null
      ? ''
      : `${formatSigned(rating.low, 0)} to ${formatSigned(rating.high, 0)}, iteration ${rating.iteration}`;
  const figures: Figure[] = [
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
  if (run.anchored !== null) figures.push(anchoredFigure(run.anchored));
  return figures;
}

/** A loop that stands may not have said; what it finished is known all the same. */
function positionsFigure(run: RunView, rows: readonly IterationRow[]): Figure {
  const sum = (key: 'numPositions' | 'numGames'): number =>
    run[key] > 0 ? run[key] : rows.reduce((total, { selfplay }) => total + (selfplay?.[key] ?? 0), 0);
  return ['Positions', formatShort(sum('numPositions')), `${formatCount(sum('numGames'))} games`];
}

function scoreFigure(run: RunView, score: number): Figure {
  const of = run.rating === null ? '' : `network of iteration ${run.rating.iteration}`;
  return ['Score against the first', formatPercent(score, 1), of];
}

/** On the scale of published ratings, from games against other engines. */
function anchoredFigure({ elo, low, high, iteration, pool, numGames }: AnchoredView): Figure {
  const of = iteration === null ? '' : `, iteration ${iteration}`;
  const interval = `${formatCount(low)} to ${formatCount(high)}`;
  return [`Rating (${pool.toUpperCase()})`, formatCount(elo), `${interval}, ${countText(numGames, 'game')}${of}`];
}
