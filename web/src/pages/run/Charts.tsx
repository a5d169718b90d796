// The curves of a run over its iterations. All share one cursor; a click opens an iteration.

import { useMemo } from 'preact/hooks';
import { ArenaChart } from '../../charts/ArenaChart';
import { LineChart, type Series } from '../../charts/LineChart';
import type { IterationRow } from '../../live/messages';
import { formatFixed, formatPercent, formatSigned } from '../../ui/format';
import { Panel } from '../../ui/parts';

interface Props {
  rows: readonly IterationRow[];
  selected: number | null;
  onPick: (iteration: number) => void;
}

const DASHED = [6, 4];
const DOTTED = [2, 3];

export function Charts({ rows, selected, onPick }: Props) {
  const hasElo = rows.some((row) => row.rating !== null);
  const hasArena = rows.some((row) => row.arena !== null);
  return (
    <>
      <Panel title="Strength: Elo over the first champion" class="wide" aside={<span class="small muted">band: 95 % interval</span>}>
        {hasElo ? <EloChart rows={rows} onPick={onPick} /> : <p class="muted small">The first ladder match puts a point here.</p>}
      </Panel>
      <Panel title="Arena: candidate against champion" class="wide" aside={<ArenaLegend />}>
        {hasArena ? <ArenaChart rows={rows} selected={selected} onPick={onPick} /> : <p class="muted small">The first match puts a bar here.</p>}
      </Panel>
      <Panel title="Losses"><Losses rows={rows} onPick={onPick} /></Panel>
      <Panel title="Draws and game length"><Games rows={rows} onPick={onPick} /></Panel>
      <Panel title="Speed"><Speed rows={rows} onPick={onPick} /></Panel>
    </>
  );
}

function ArenaLegend() {
  return (
    <span class="arena-legend small">
      <span><i class="win" />won</span><span><i class="draw" />drawn</span><span><i class="loss" />lost</span><span><i class="star">★</i>promoted</span>
    </span>
  );
}

type PartProps = Pick<Props, 'rows' | 'onPick'>;

function EloChart({ rows, onPick }: PartProps) {
  const rated = useMemo(() => rows.filter((row) => row.rating !== null), [rows]);
  const elo = (value: number | null): string => formatSigned(value, 0);
  const series = useMemo((): Series[] => [{
    label: 'Elo',
    values: rated.map((row) => row.rating?.elo ?? null),
    band: { low: rated.map((row) => row.rating?.low ?? null), high: rated.map((row) => row.rating?.high ?? null) },
    colour: 1,
    format: elo,
  }], [rated]);
  const x = useMemo(() => rated.map((row) => row.iteration), [rated]);
  const last = rated.at(-1)?.rating?.elo ?? null;
  return <LineChart label={`Elo over ${rated.length} measurements, now ${elo(last)}`} x={x} xLabel="Iteration" series={series} height={230} syncKey="run" onPick={onPick} />;
}

function useColumns(rows: readonly IterationRow[], lines: (rows: readonly IterationRow[]) => Series[]): { x: number[]; series: Series[] } {
  return useMemo(() => ({ x: rows.map((row) => row.iteration), series: lines(rows) }), [rows]);
}

function Losses({ rows, onPick }: PartProps) {
  const columns = useColumns(rows, (all) => [
    { label: 'Policy', values: all.map((row) => row.training?.policyLoss ?? null), colour: 1, format: loss },
    { label: 'Policy, hold-out', values: all.map((row) => row.training?.holdoutPolicyLoss ?? null), colour: 1, dash: DASHED, format: loss },
    { label: 'Value', values: all.map((row) => row.training?.valueLoss ?? null), colour: 2, format: loss },
    { label: 'Value, hold-out', values: all.map((row) => row.training?.holdoutValueLoss ?? null), colour: 2, dash: DASHED, format: loss },
  ]);
  return <LineChart label="Policy and value losses of each iteration, in training and on hold-out games" {...columns} xLabel="Iteration" syncKey="run" onPick={onPick} />;
}

function Games({ rows, onPick }: PartProps) {
  const columns = useColumns(rows, (all) => [
    { label: 'Draws', values: all.map((row) => (row.selfplay === null ? null : row.selfplay.drawRate * 100)), colour: 3, format: (value) => formatPercent(value === null ? null : value / 100) },
    { label: 'Plies a game', values: all.map((row) => row.selfplay?.meanPlies ?? null), colour: 4, dash: DASHED, isRight: true, format: (value) => formatFixed(value, 0) },
  ]);
  return <LineChart label="Share of drawn games in per cent, and mean length in plies" {...columns} xLabel="Iteration" syncKey="run" onPick={onPick} />;
}

function Speed({ rows, onPick }: PartProps) {
  const columns = useColumns(rows, (all) => [
    { label: 'Positions/s', values: all.map((row) => row.selfplay?.positionsPerS ?? null), colour: 1 },
    { label: 'Simulations/s', values: all.map((row) => row.selfplay?.simulationsPerS ?? null), colour: 5, dash: DOTTED, isRight: true },
  ]);
  return <LineChart label="Positions and simulations a second in self-play" {...columns} xLabel="Iteration" syncKey="run" onPick={onPick} />;
}

function loss(value: number | null): string {
  return formatFixed(value, 3);
}
