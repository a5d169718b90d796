// The curves of a run over its iterations. All share one cursor; a click opens an iteration.

import { useMemo } from 'preact/hooks';
import { ArenaChart } from '../../charts/ArenaChart';
import { LineChart, type Series } from '../../charts/LineChart';
import type { IterationRow } from '../../live/messages';
import { strengthOver } from '../../live/strength';
import { formatSigned } from '../../ui/format';
import { Panel } from '../../ui/parts';

interface Props {
  rows: readonly IterationRow[];
  selected: number | null;
  onPick: (iteration: number) => void;
}

const DOTTED = [2, 3];

export function Charts({ rows, selected, onPick }: Props) {
  const hasElo = rows.some((row) => row.rating !== null || row.wasPromoted);
  const hasArena = rows.some((row) => row.arena !== null);
  return (
    <>
      <Panel
        title="Strength: Elo over the first champion"
        class="wide"
        aside={
          <span class="small muted">
            points and band: ladder with 95 % interval · dotted: arena results, scaled to the ladders
          </span>
        }
      >
        {hasElo ? (
          <EloChart rows={rows} onPick={onPick} />
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

function ArenaLegend() {
  return (
    <span class="arena-legend small">
      <span>
        <i class="win" />
        won
      </span>
      <span>
        <i class="draw" />
        drawn
      </span>
      <span>
        <i class="loss" />
        lost
      </span>
      <span>
        <i class="star">★</i>promoted
      </span>
    </span>
  );
}

type PartProps = Pick<Props, 'rows' | 'onPick'>;

function EloChart({ rows, onPick }: PartProps) {
  const strength = useMemo(() => strengthOver(rows), [rows]);
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
    />
  );
}
