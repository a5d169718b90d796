// The bot's ratings over its games, one line for each speed, with the games at which another network took over.

import type uPlot from 'uplot';
import { LineChart, styleOf, type Series } from '../../charts/LineChart';
import { themeColour } from '../../app/theme';
import { formatCount } from '../../ui/format';
import { ratingsOver, type BotGame, type BotSwap } from './scores';

const NUM_NAMED = 6;

export function Ratings({ games, swaps }: { games: readonly BotGame[]; swaps: readonly BotSwap[] }) {
  const { x, speeds, marks } = ratingsOver(games, swaps);
  if (x.length < 2) return <p class="small muted">Two rated games put a line here.</p>;
  const series = speeds.map(({ speed, values }, index): Series => ({
    ...styleOf(index),
    label: speed,
    values,
    joinsGaps: true,
    format: formatCount,
  }));
  const paint = (plot: uPlot): void =>
    drawMarks(
      plot,
      marks.map(({ game }) => game),
    );
  return (
    <>
      <LineChart
        label={`Ratings over ${x.length} games: ${speeds.map(({ speed, last }) => `${speed} ${last}`).join(', ')}; ${marks.length} changes of networks`}
        x={x}
        xLabel="Game"
        series={series}
        height={200}
        paint={paint}
        paintKey={marks.length}
      />
      {marks.length > 0 && (
        <p class="small muted">
          ★ promoted champions that took over:{' '}
          {marks
            .slice(-NUM_NAMED)
            .map(({ game, network }) => `${network} before game ${game}`)
            .join(', ')}
        </p>
      )}
    </>
  );
}

function drawMarks(plot: uPlot, games: readonly number[]): void {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = themeColour('gold');
  ctx.fillStyle = themeColour('gold');
  ctx.setLineDash([4, 4]);
  ctx.textAlign = 'center';
  for (const game of games) {
    const left = plot.valToPos(game, 'x', true);
    ctx.beginPath();
    ctx.moveTo(left, plot.bbox.top);
    ctx.lineTo(left, plot.bbox.top + plot.bbox.height);
    ctx.stroke();
    ctx.fillText('★', left, plot.bbox.top + 4);
  }
  ctx.restore();
}
