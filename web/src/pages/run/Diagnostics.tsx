// Whether a run learns, and why not: every curve with a sentence on what is normal and what to do when it is not.

import { useMemo, useState } from 'preact/hooks';
import { LineChart, styleOf, type Series } from '../../charts/LineChart';
import { axisOf, smoothed, toCsv, type Axis, type Column } from '../../live/columns';
import type { IterationRow } from '../../live/messages';
import { Button, Panel, Segments, Select } from '../../ui/parts';
import { save } from '../../ui/TextDialog';
import { useNarrow } from '../../ui/viewport';
import { chartsOf, type ChartPlan, type Group } from './diagnosticCharts';

interface Props {
  rows: readonly IterationRow[];
  createdS: number;
  name: string;
  onPick: (iteration: number) => void;
}

const AXES = [
  { value: 'iteration', label: 'Iterations' },
  { value: 'positions', label: 'Positions' },
  { value: 'hours', label: 'Hours' },
] as const;
const AXIS_LABELS: { readonly [axis in Axis]: string } = {
  iteration: 'Iteration',
  positions: 'Positions',
  hours: 'Hours',
};
const GROUPS = [
  { value: 'network', label: 'Network' },
  { value: 'games', label: 'Games' },
  { value: 'training', label: 'Training' },
] as const;
const WIDTHS = [
  { value: '1', label: 'No smoothing' },
  { value: '5', label: 'Mean of 5' },
  { value: '20', label: 'Mean of 20' },
] as const;

export function Diagnostics({ rows, createdS, name, onPick }: Props) {
  const [axis, setAxis] = useState<Axis>('iteration');
  const [width, setWidth] = useState<'1' | '5' | '20'>('1');
  const isNarrow = useNarrow();
  const [group, setGroup] = useState<Group>('network');
  const x = useMemo(() => axisOf(rows, axis, createdS), [rows, axis]);
  const shown = useMemo(() => chartsOf(rows), [rows]);
  const download = (): void => {
    save(`${name}.csv`, toCsv(csvColumns(rows, createdS, shown)));
  };
  const iterationAt = (value: number): number => rows[x.indexOf(value)]?.iteration ?? value;
  if (shown.length === 0) return null;
  return (
    <Panel
      title="Learning"
      class="wide diagnostics"
      aside={
        <Button icon="export" onClick={download}>
          CSV
        </Button>
      }
    >
      <div class="row diagnostic-tools">
        <Segments legend="Over" hideLegend value={axis} onChange={setAxis} options={AXES} />
        {isNarrow && <Segments legend="About" hideLegend value={group} onChange={setGroup} options={GROUPS} />}
        <Select legend="Smoothing" hideLegend value={width} onChange={setWidth} options={WIDTHS} />
      </div>
      <div class="diagnostic-grid">
        {shown
          .filter((chart) => !isNarrow || chart.group === group)
          .map((chart) => (
            <Card
              key={chart.title}
              chart={chart}
              rows={rows}
              x={x}
              axis={axis}
              width={Number(width)}
              onPick={(value) => onPick(iterationAt(value))}
            />
          ))}
      </div>
    </Panel>
  );
}

/** Every number of every chart, with what stands on the axes, the arena and the ladder. */
function csvColumns(rows: readonly IterationRow[], createdS: number, charts: readonly ChartPlan[]): Column[] {
  const column = (label: string, read: (row: IterationRow) => number | null): Column => ({
    label,
    values: rows.map(read),
  });
  return [
    ...(['iteration', 'positions', 'hours'] as const).map((axis) => ({
      label: axis,
      values: axisOf(rows, axis, createdS),
    })),
    ...charts.flatMap(({ title, lines }) => lines.map(({ label, read }) => column(`${title}: ${label}`, read))),
    ...(['wins', 'draws', 'losses'] as const).map((key) => column(`Arena: ${key}`, (row) => row.arena?.[key] ?? null)),
    column('Promoted', (row) => (row.wasPromoted ? 1 : 0)),
    column('Elo over the first', (row) => row.rating?.elo ?? null),
  ];
}

interface CardProps {
  chart: ChartPlan;
  rows: readonly IterationRow[];
  x: readonly number[];
  axis: Axis;
  width: number;
  onPick: (x: number) => void;
}

function Card({ chart, rows, x, axis, width, onPick }: CardProps) {
  const series = useMemo(
    () =>
      chart.lines.map((line, index): Series => {
        const { label, isRight = false, isShare = false, format } = line;
        const values = smoothed(rows.map(line.read), width);
        return { ...styleOf(index), label, values, isRight, isShare, ...(format === undefined ? {} : { format }) };
      }),
    [chart, width],
  );
  return (
    <section class="diagnostic" aria-label={chart.title}>
      <h3>{chart.title}</h3>
      <LineChart
        label={`${chart.title}: ${chart.lines.map(({ label }) => label).join(', ')}`}
        x={x}
        xLabel={AXIS_LABELS[axis]}
        xIsWhole={axis !== 'hours'}
        series={series}
        height={170}
        syncKey="diagnostics"
        onPick={onPick}
      />
      <p class="small muted">{chart.normal}</p>
    </section>
  );
}
