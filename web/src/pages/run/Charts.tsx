// The curves of a run over its iterations. All share one cursor; a click opens an iteration.

import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import { themeColour } from '../../app/theme';
import { ArenaChart } from '../../charts/ArenaChart';
import { LineChart, type Series } from '../../charts/LineChart';
import type { IterationRow } from '../../live/messages';
import { stepsOf, strengthOver } from '../../live/strength';
import { formatSigned } from '../../ui/format';
import { Panel } from '../../ui/parts';

interface Props {
  rows: readonly IterationRow[];
  /** Elo of a champion that no ladder has measured. */
  estimate: number | null;
  selected: number | null;
  onPick: (iteration: number) => void;
}

const DOTTED = [2, 3];
const CAP = 3; // pixels on each side of an interval's ends
const MOST_INTERVALS = 120; // iterations; beyond, the band says enough

export function Charts({ rows, estimate, selected, onPick }: Props) {
  const hasElo = rows.some((row) => row.rating !== null || row.wasPromoted);
  const hasArena = rows.some((row) => row.arena !== null);
  return (
    <>
      <Panel
        title="Strength: Elo over the first champion"
        class="wide"
        aside={
          <span class="small muted">bars and band: 95 % interval · dotted: arena results, scaled to the ladders</span>
        }
      >
        {hasElo ? (
          <EloChart rows={rows} estimate={estimate} onPick={onPick} />
        ) : (
          <p class="muted small">The first ladder match puts a point here.</p>
        )}
      </Panel>
      <Panel title="Arena: candidate against champion" class="wide" aside={<ArenaLegend />}>
        {hasArena ? (
          <ArenaChart rows={rows} selected={selected} onPick={onPick} />
        ) : (
          <p class="muted small">The first match puts a bar here.</p>
        )}
      </Panel>
    </>
  );
}

/** The legend of the chart explains its bars; what stands above them is explained here. */
function ArenaLegend() {
  return (
    <span class="small muted">
      <span class="star">★</span> promoted · dashed: half of the points
    </span>
  );
}

type PartProps = Pick<Props, 'rows' | 'estimate' | 'onPick'>;

function EloChart({ rows, estimate, onPick }: PartProps) {
  const strength = useMemo(() => strengthOver(stepsOf(rows), estimate), [rows, estimate]);
  const elo = (value: number | null): string => formatSigned(value, 0);
  const series = useMemo((): Series[] => {
    const ratings = new Map(rows.map((row) => [row.iteration, row.rating]));
    const measured = strength.map(({ iteration }) => ratings.get(iteration) ?? null);
    return [
      {
        label: 'Measured',
        values: measured.map((rating) => rating?.elo ?? null),
        band: {
          low: measured.map((rating) => rating?.low ?? null),
          high: measured.map((rating) => rating?.high ?? null),
        },
        colour: 1,
        joinsGaps: true,
        format: elo,
      },
      {
        label: 'Estimated between ladders',
        values: strength.map((each) => each.elo),
        colour: 4,
        dash: DOTTED,
        isPlain: strength.length > 1, // a single one would not be seen
        format: elo,
      },
    ];
  }, [strength]);
  const x = useMemo(() => strength.map(({ iteration }) => iteration), [strength]);
  const numMeasured = strength.filter(({ isMeasured }) => isMeasured).length;
  const last = strength.at(-1)?.elo ?? null;
  return (
    <LineChart
      label={`Elo over ${numMeasured} measurements and ${strength.length} iterations, now ${elo(last)}`}
      x={x}
      xLabel="Iteration"
      series={series}
      height={230}
      syncKey="run"
      onPick={onPick}
      paint={(plot) => paintIntervals(plot, series[0])}
    />
  );
}

/** A bar for the interval of each measurement; the band needs two of them. An end that nothing bounds is the frame. */
function paintIntervals(plot: uPlot, measured: Series | undefined): void {
  if (measured?.band === undefined || plot.data[0].length > MOST_INTERVALS) return;
  const { ctx, bbox } = plot;
  const { low, high } = measured.band;
  const y = (value: number | null | undefined, end: number): number =>
    value === null || value === undefined ? end : plot.valToPos(value, 'y', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = themeColour('series-1');
  ctx.setLineDash([]); // the line drawn last may be dotted
  ctx.lineWidth = devicePixelRatio;
  measured.values.forEach((value, index) => {
    if (value === null) return;
    const x = plot.valToPos(plot.data[0][index] ?? 0, 'x', true);
    const [top, bottom] = [y(high[index], bbox.top), y(low[index], bbox.top + bbox.height)];
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, bottom);
    for (const end of [top, bottom]) {
      ctx.moveTo(x - CAP * devicePixelRatio, end);
      ctx.lineTo(x + CAP * devicePixelRatio, end);
    }
    ctx.stroke();
  });
  ctx.restore();
}
