// What a chart asks of uPlot: lines, bands, axes, legend, zoom. Knows no page.

import uPlot from 'uplot';
import { themeColour } from '../app/theme';
import { formatCount, formatFixed, formatPercent, formatShort, tickLabels } from '../ui/format';

export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** 1 to 6: a colour of the theme. */
  colour: number;
  dash?: number[];
  /** Lower and upper end of a band around the line. */
  band?: { low: readonly (number | null)[]; high: readonly (number | null)[] };
  isRight?: boolean;
  /** 0 to 1, on an axis in percent. */
  isShare?: boolean;
  /** Draws on where values are missing; otherwise a gap says so. */
  joinsGaps?: boolean;
  /** Without dots, where those of another line must be seen. */
  isPlain?: boolean;
  /** Only in the legend, as a box of this kind: `paint` draws it another way. */
  painted?: 'win' | 'draw' | 'loss';
  format?: (value: number | null) => string;
}

export interface Plan {
  x: readonly number[];
  xLabel: string;
  /** Hours have decimals; iterations, games and positions do not. */
  xIsWhole?: boolean;
  series: readonly Series[];
  height?: number;
  /** Charts with the same name share their cursor. */
  syncKey?: string;
  range?: [number | null, number | null];
  /** Room beyond the first and last x. */
  margin?: number;
  /** Draws over or under the lines. */
  paint?: (plot: uPlot) => void;
}

export const DEFAULT_HEIGHT = 200;
const NARROWEST = 0.02; // share of a value that its axis spans at least
const NARROW_AXIS = 50; // pixels
const LETTER = 7; // pixels of a digit in the font of the axes
const GAP = 6; // between an axis and its numbers
/** How many lines can be told apart by colour and dashes. */
export const MOST_LINES = 6;
const DASHES: readonly (number[] | undefined)[] = [undefined, [6, 4], [2, 3], [10, 3, 2, 3], [14, 4], [1, 4]];

/** The colour and dashes of a chart's line by its number, from 0. */
export function styleOf(index: number): { colour: number; dash?: number[] } {
  const dash = DASHES[index % MOST_LINES];
  const colour = (index % MOST_LINES) + 1;
  return dash === undefined ? { colour } : { colour, dash };
}

/** The columns of uPlot: x, then each line, a band's ends after its line. */
export function dataOf({ x, series }: Plan): uPlot.AlignedData {
  const columns = series.flatMap((line) =>
    line.band === undefined ? [line.values] : [line.values, line.band.low, line.band.high],
  );
  return [[...x], ...columns.map((column) => [...column])];
}

/**
 * For each column the place of its newest value: what a legend tells while nobody points at the chart. The first column,
 * x, has none where these are not all of one place.
 */
export function newestPlaces(data: readonly ArrayLike<number | null | undefined>[]): (number | null)[] {
  const [, ...lines] = data.map((column) => {
    const place = Array.from(column).findLastIndex((value) => value !== null && value !== undefined);
    return place < 0 ? null : place;
  });
  const places = new Set(lines.filter((place) => place !== null));
  const [shared = null] = places;
  return [places.size === 1 ? shared : null, ...lines];
}

/** New points must not throw a person out of the part that they look at. */
export function wasZoomed(plot: uPlot): boolean {
  const [first, last] = [plot.data[0][0], plot.data[0].at(-1)];
  const { min, max } = plot.scales['x'] ?? {};
  // Before its first drawing a plot has no scales, whatever its types say.
  if (first === undefined || last === undefined || typeof min !== 'number' || typeof max !== 'number') return false;
  return min > first || max < last;
}

export function showNewest(plot: uPlot): void {
  plot.setLegend({ idxs: newestPlaces(plot.data) as number[] });
}

export function optionsFor(
  latest: { current: Plan },
  width: number,
  onZoom: (isZoomed: boolean) => void,
): uPlot.Options {
  const { series, height = DEFAULT_HEIGHT, syncKey, range } = latest.current;
  const { lines, bands } = linesFor(latest.current);
  const hasRight = series.some((line) => line.isRight);
  return {
    width,
    height,
    padding: [10, hasRight ? 0 : 12, 0, 0],
    series: lines,
    bands,
    scales: {
      x: { time: false, range: (_plot, low, high) => withMargin(low, high, latest.current.margin) },
      y:
        range === undefined
          ? scaleFor(series, false)
          : { range: (_plot, low, high) => [range[0] ?? low, range[1] ?? high] },
      ...(hasRight ? { right: scaleFor(series, true) } : {}),
    },
    axes: axesFor(latest.current, hasRight),
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
      ready: [showNewest],
      setCursor: [(plot) => plot.cursor.idx === null && showNewest(plot)],
      draw: [(plot) => latest.current.paint?.(plot)],
      setScale: [(plot, scale) => scale === 'x' && onZoom(wasZoomed(plot))],
    },
  };
}

function withMargin(low: number, high: number, margin = 0): [number, number] {
  return [low - margin, high + margin];
}

/** What hardly changes looks level, in the middle, instead of like mountains of thousandths. */
export function notNarrow(low: number, high: number): [number, number] {
  const room = Math.max(0, (NARROWEST * Math.abs(low + high)) / 2 - (high - low)) / 2;
  return [low - room, high + room];
}

/** Of an axis, in pixels: room for its longest number. Nothing is known before the first drawing. */
export function sizeFor(texts: readonly string[] | null): number {
  const longest = Math.max(0, ...(texts ?? []).map((text) => text.length));
  return Math.max(NARROW_AXIS, LETTER * longest + 2 * GAP);
}

/** Shares stay between 0 and 100 %. */
function scaleFor(series: readonly Series[], isRight: boolean): uPlot.Scale {
  const isShare = hasShares(series, isRight);
  return {
    range: (_plot, low, high) => {
      if (!Number.isFinite(low)) return [null, null]; // nothing to show
      const [from, to] = uPlot.rangeNum(...notNarrow(low, high), 0.1, true);
      return isShare ? [Math.max(0, from ?? 0), Math.min(1, to ?? 1)] : [from, to];
    },
  };
}

function hasShares(series: readonly Series[], isRight: boolean): boolean {
  return series.some((line) => line.isShare === true && (line.isRight === true) === isRight);
}

function linesFor({ series, xLabel, xIsWhole = true }: Plan): { lines: uPlot.Series[]; bands: uPlot.Band[] } {
  const bands: uPlot.Band[] = [];
  const place = (value: number | null | undefined): string =>
    value === null || value === undefined ? 'newest of each' : xIsWhole ? formatCount(value) : formatFixed(value, 2);
  const lines: uPlot.Series[] = [{ label: xLabel, value: (_plot, value: number | null) => place(value) }];
  for (const line of series) {
    lines.push(lineOptions(line));
    if (line.band !== undefined) {
      const hidden = edgeOptions(line);
      bands.push({ series: [lines.length + 1, lines.length], fill: themeColour('band') });
      lines.push({ ...hidden, label: 'low' }, { ...hidden, label: 'high' });
    }
  }
  return { lines, bands };
}

function axesFor({ series, xIsWhole = true, range }: Plan, hasRight: boolean): uPlot.Axis[] {
  const axis = {
    stroke: themeColour('ink-3'),
    font: '11px Inter, sans-serif',
    grid: { stroke: themeColour('grid'), width: 1 },
    ticks: { show: false },
    gap: GAP,
  };
  const labels = (isRight: boolean) => {
    const isShare = hasShares(series, isRight);
    // Room above 100 % is for marks, not for numbers.
    const isShown = (split: number): boolean => !isShare || range === undefined || split <= 1;
    return (_plot: uPlot, splits: number[]): string[] => {
      const texts = tickLabels(splits, isShare);
      return splits.map((split, index) => (isShown(split) ? (texts[index] ?? '') : ''));
    };
  };
  const left: uPlot.Axis = { ...axis, size: (_plot, texts) => sizeFor(texts), values: labels(false) };
  const right: uPlot.Axis = {
    ...axis,
    scale: 'right',
    side: 1,
    size: (_plot, texts) => sizeFor(texts),
    grid: { show: false },
    values: labels(true),
  };
  const below: uPlot.Axis = {
    ...axis,
    size: 26,
    grid: { show: false },
    ...(xIsWhole ? { incrs: WHOLE_STEPS } : {}),
    values: ({ data: [places] }, splits) => withinData(splits, tickLabels(splits), places),
  };
  return hasRight ? [below, left, right] : [below, left];
}

/** A margin is room for bars; nothing happened there that a number could name. */
function withinData(splits: readonly number[], labels: readonly string[], places: ArrayLike<number>): string[] {
  const [first = -Infinity, last = Infinity] = [places[0], places[places.length - 1]];
  return splits.map((split, index) => (split < first || split > last ? '' : (labels[index] ?? '')));
}

/** Steps between ticks of whole numbers. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

function lineOptions(line: Series): uPlot.Series {
  const { format } = line;
  return {
    label: line.label,
    stroke: themeColour(`series-${line.colour}`),
    width: 2,
    scale: line.isRight ? 'right' : 'y',
    spanGaps: line.joinsGaps === true,
    points: {
      show: (plot) => line.painted === undefined && line.isPlain !== true && plot.data[0].length < 40,
      size: 5,
    },
    ...(line.painted === undefined ? {} : { paths: () => null, class: `boxed-${line.painted}` }),
    ...(line.dash === undefined ? {} : { dash: line.dash }),
    value: (_plot, value: number | null) => (format ?? plainFormat(line))(value ?? null),
  };
}

function plainFormat({ isShare = false }: Series): (value: number | null) => string {
  return (value) => (isShare ? formatPercent(value) : value === null ? '–' : formatShort(value));
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
