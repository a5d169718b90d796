// The run in a few numbers.

import type { RunView } from '../../live/messages';
import { formatCount, formatFixed, formatPercent, formatShort, formatSigned } from '../../ui/format';
import { Panel } from '../../ui/parts';

export function Figures({ run }: { run: RunView }) {
  const { rating } = run;
  const interval = rating === null ? '' : `${formatSigned(rating.low, 0)} to ${formatSigned(rating.high, 0)}`;
  const figures: [string, string, string?][] = [
    ['Elo over the first champion', rating === null ? '–' : formatSigned(rating.elo, 0), interval],
    ['Score against it', formatPercent(run.scoreAgainstFirst, 1)],
    ['Promotions', formatCount(run.numPromotions), run.champion.replace(/\/.*/, '')],
    ['Positions', formatShort(run.numPositions), `${formatCount(run.numGames)} games`],
    ['Positions a second', formatCount(run.positionsPerS), `${formatShort(run.simulationsPerS)} simulations`],
    ['Games an hour', formatShort(run.gamesPerHour)],
    ['Draws', formatPercent(run.drawRate), `${formatFixed(run.meanPlies, 0)} plies a game`],
    ['Memory', `${formatCount(run.memoryMb)} MB`],
  ];
  return (
    <Panel title="Figures" class="figures">
      <dl>
        {figures.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd><strong>{value}</strong>{note !== undefined && note !== '' && <span class="muted small">{note}</span>}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
