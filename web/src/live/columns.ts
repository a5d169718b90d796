// Rows of a run as columns to draw: what stands on the x axis, smoothing, and the same numbers as CSV. Pure.

import type { IterationRow } from './messages';

export type Axis = 'iteration' | 'positions' | 'hours';

/** Iterations, positions of self-play so far, or hours since the run was created. */
export function axisOf(rows: readonly IterationRow[], axis: Axis, createdS: number): number[] {
  let positions = 0;
  return rows.map((row) => {
    positions += row.selfplay?.numPositions ?? 0;
    if (axis === 'positions') return positions;
    return axis === 'hours' ? Math.max(0, row.finishedS - createdS) / 3_600 : row.iteration;
  });
}

/** A running mean over `width` values; gaps stay gaps. */
export function smoothed(values: readonly (number | null)[], width: number): (number | null)[] {
  if (width <= 1) return [...values];
  return values.map((value, index) => {
    if (value === null) return null;
    const near = values.slice(Math.max(0, index - width + 1), index + 1).filter((each) => each !== null);
    return near.reduce((sum, each) => sum + each, 0) / near.length;
  });
}

export interface Column {
  label: string;
  values: readonly (number | null)[];
}

/** Missing values are empty cells. */
export function toCsv(columns: readonly Column[]): string {
  const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const numRows = Math.max(0, ...columns.map(({ values }) => values.length));
  const lines = Array.from({ length: numRows }, (_, index) =>
    columns.map(({ values }) => `${values[index] ?? ''}`).join(','),
  );
  return `${[columns.map(({ label }) => cell(label)).join(','), ...lines].join('\n')}\n`;
}
