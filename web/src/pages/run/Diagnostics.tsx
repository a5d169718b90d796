// Whether a run learns, and why not: every curve with a sentence on what is normal and what to do when it is not.

import { useMemo, useState } from 'preact/hooks';
import { LineChart, type Series } from '../../charts/LineChart';
import { axisOf, smoothed, toCsv, type Axis } from '../../live/columns';
import type { IterationRow } from '../../live/messages';
import { Button, Panel, Segments, Select } from '../../ui/parts';
import { save } from '../../ui/TextDialog';
import { CHARTS, type ChartPlan } from './diagnosticCharts';

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
const WIDTHS = [
  { value: '1', label: 'No smoothing' },
  { value: '5', label: 'Mean of 5' },
  { value: '20', label: 'Mean of 20' },
] as const;
const DASHES: readonly (number[] | undefined)[] = [undefined, [6, 4], [2, 3], [10, 3, 2, 3]];

export function Diagnostics({ rows, createdS, name, onPick }: Props) {
  const [axis, setAxis] = useState<Axis>('iteration');
  const [width, setWidth] = useState<'1' | '5' | '20'>('1');
  const x = useMemo(() => axisOf(rows, axis, createdS), [rows, axis]);
  const shown = CHARTS.filter((chart) => rows.some((row) => chart.lines.some(({ read }) => read(row) !== null)));
  const download = (): void => {
    const columns = CHARTS.flatMap(({ lines }) => lines.map(({ label, read }) => ({ label, values: rows.map(read) })));
    save(`${name}.csv`, toCsv([{ label: 'iteration', values: rows.map(({ iteration }) => iteration) }, ...columns]));
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
        <Select legend="Smoothing" hideLegend value={width} onChange={setWidth} options={WIDTHS} />
      </div>
      <div class="diagnostic-grid">
        {shown.map((chart) => (
          <Card
            key={chart.title}
            chart={chart}
            rows={rows}
            x={x}
            xLabel={AXIS_LABELS[axis]}
            width={Number(width)}
            onPick={(value) => onPick(iterationAt(value))}
          />
        ))}
      </div>
    </Panel>
  );
}

interface CardProps {
  chart: ChartPlan;
  rows: readonly IterationRow[];
  x: readonly number[];
  xLabel: string;
  width: number;
  onPick: (x: number) => void;
}

function Card({ chart, rows, x, xLabel, width, onPick }: CardProps) {
  const series = useMemo(
    () =>
      chart.lines.map((line, index): Series => {
        const dash = DASHES[index];
        const values = smoothed(rows.map(line.read), width);
        const drawn = {
          label: line.label,
          values,
          colour: index + 1,
          isRight: line.isRight === true,
          ...(line.format === undefined ? {} : { format: line.format }),
        };
        return dash === undefined ? drawn : { ...drawn, dash };
      }),
    [rows, width],
  );
  return (
    <section class="diagnostic" aria-label={chart.title}>
      <h3>{chart.title}</h3>
      <LineChart
        label={`${chart.title}: ${chart.lines.map(({ label }) => label).join(', ')}`}
        x={x}
        xLabel={xLabel}
        series={series}
        height={170}
        syncKey="diagnostics"
        onPick={onPick}
      />
      <p class="small muted">{chart.normal}</p>
    </section>
  );
}
