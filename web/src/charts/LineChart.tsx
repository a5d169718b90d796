// Curves over a number, by uPlot. Lines differ by dashes as well as by colour; dragging zooms in, a button or a double click out.

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { onThemeChange, themeColour } from '../app/theme';
import { formatShort, formatTick } from '../ui/format';
import { Button } from '../ui/parts';

export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** 1 to 6: a colour of the theme. */
  colour: number;
  dash?: number[];
  /** Lower and upper end of a band around the line. */
  band?: { low: readonly (number | null)[]; high: readonly (number | null)[] };
  isRight?: boolean;
  /** Draws on where values are missing; otherwise a gap says so. */
  joinsGaps?: boolean;
  /** Only in the legend: `paint` draws it another way. */
  isPainted?: boolean;
  format?: (value: number | null) => string;
}

interface Props {
  /** What the picture shows, in words. */
  label: string;
  x: readonly number[];
  xLabel: string;
  series: readonly Series[];
  height?: number;
  /** Charts with the same name share their cursor. */
  syncKey?: string;
  range?: [number | null, number | null];
  /** Room beyond the first and last x. */
  margin?: number;
  onPick?: (x: number) => void;
  /** Draws over or under the lines. */
  paint?: (plot: uPlot) => void;
  paintKey?: unknown;
}

export function LineChart(props: Props) {
  const { label, x, series, height = 200 } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [paints, setPaints] = useState(0);
  const [isZoomed, setZoomed] = useState(false);
  useEffect(() => onThemeChange(() => setPaints((count) => count + 1)), []);

  const shape = series.map((line) => `${line.label}${line.band !== undefined}`).join();
  useEffect(() => {
    const host = box.current;
    if (host === null) return;
    const made = new uPlot(optionsFor(latest, host.clientWidth, setZoomed), dataOf(latest.current), host);
    plot.current = made;
    const resizer = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height }));
    resizer.observe(host);
    const pick = (): void => {
      const index = made.cursor.idx;
      const value = index === null || index === undefined ? undefined : latest.current.x[index];
      if (value !== undefined && made.select.width === 0) latest.current.onPick?.(value);
    };
    made.over.addEventListener('click', pick);
    return () => {
      resizer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, paints, height]);

  useEffect(() => {
    const made = plot.current;
    if (made === null) return;
    const staysZoomed = wasZoomed(made);
    made.setData(dataOf(latest.current), !staysZoomed);
    if (staysZoomed) made.redraw();
  }, [x, series, props.paintKey]);
  const showAll = (): void => {
    plot.current?.setData(plot.current.data, true);
    setZoomed(false);
  };

  return (
    <div class="chart-frame">
      <div ref={box} class="chart" role="img" aria-label={label} style={{ minHeight: `${height}px` }} />
      {isZoomed && (
        <div class="zoom-reset">
          <Button icon="minus" onClick={showAll}>
            Whole range
          </Button>
        </div>
      )}
    </div>
  );
}

function dataOf({ x, series }: Props): uPlot.AlignedData {
  const columns = series.flatMap((line) =>
    line.band === undefined ? [line.values] : [line.values, line.band.low, line.band.high],
  );
  return [[...x], ...columns.map((column) => [...column])];
}

/** New points must not throw a person out of the part that they look at. */
function wasZoomed(plot: uPlot): boolean {
  const [first, last] = [plot.data[0][0], plot.data[0].at(-1)];
  const { min, max } = plot.scales['x'] ?? {};
  // Before its first drawing a plot has no scales, whatever its types say.
  if (first === undefined || last === undefined || typeof min !== 'number' || typeof max !== 'number') return false;
  return min > first || max < last;
}

function optionsFor(latest: { current: Props }, width: number, onZoom: (isZoomed: boolean) => void): uPlot.Options {
  const { series, height = 200, syncKey, range, margin = 0, xLabel } = latest.current;
  const ink = themeColour('ink-3');
  const axis = {
    stroke: ink,
    font: '11px Inter, sans-serif',
    grid: { stroke: themeColour('grid'), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  const hasRight = series.some((line) => line.isRight);
  const bands: uPlot.Band[] = [];
  const lines: uPlot.Series[] = [{ label: xLabel }];
  for (const line of series) {
    lines.push(lineOptions(line));
    if (line.band !== undefined) {
      const hidden = { ...edgeOptions(line) };
      bands.push({ series: [lines.length + 1, lines.length], fill: themeColour('band') });
      lines.push({ ...hidden, label: 'low' }, { ...hidden, label: 'high' });
    }
  }
  return {
    width,
    height,
    padding: [10, hasRight ? 0 : 12, 0, 0],
    series: lines,
    bands,
    scales: {
      x: { time: false, range: (_plot, low, high) => [low - margin, high + margin] },
      y: range === undefined ? {} : { range: (_plot, low, high) => [range[0] ?? low, range[1] ?? high] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        values: (_plot, splits) => splits.map((split) => (Number.isInteger(split) ? formatTick(split) : '')),
      },
      { ...axis, size: 46, values: (_plot, splits) => splits.map(formatTick) },
      ...(hasRight
        ? [
            {
              ...axis,
              scale: 'right',
              side: 1 as const,
              size: 42,
              grid: { show: false },
              values: (_plot: uPlot, splits: number[]) => splits.map(formatTick),
            },
          ]
        : []),
    ],
    cursor: {
      ...(syncKey === undefined ? {} : { sync: { key: syncKey } }),
      points: { size: 6 },
      drag: { x: true, y: false },
    },
    // A sample of each line as it is drawn.
    legend: {
      live: true,
      markers: {
        width: 3,
        fill: () => 'transparent',
        dash: (_plot, index) =>
          lines[index]?.dash === undefined ? 'solid' : (lines[index].dash[0] ?? 0) < 4 ? 'dotted' : 'dashed',
      },
    },
    hooks: {
      draw: [(plot) => latest.current.paint?.(plot)],
      setScale: [(plot, scale) => scale === 'x' && onZoom(wasZoomed(plot))],
    },
  };
}

function lineOptions(line: Series): uPlot.Series {
  const { format } = line;
  return {
    label: line.label,
    stroke: themeColour(`series-${line.colour}`),
    width: 2,
    scale: line.isRight ? 'right' : 'y',
    spanGaps: line.joinsGaps === true,
    points: { show: (plot) => line.isPainted !== true && plot.data[0].length < 40, size: 5 },
    ...(line.isPainted === true ? { paths: () => null } : {}),
    ...(line.dash === undefined ? {} : { dash: line.dash }),
    value: (_plot, value: number | null) =>
      format === undefined ? (value === null || value === undefined ? '–' : formatShort(value)) : format(value ?? null),
  };
}

function edgeOptions(line: Series): uPlot.Series {
  return {
    stroke: 'transparent',
    width: 0,
    spanGaps: true,
    points: { show: false },
    scale: line.isRight ? 'right' : 'y',
    class: 'edge',
  };
}
