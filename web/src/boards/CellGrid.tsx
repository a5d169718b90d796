// A board as a grid of buttons: what the keyboard and screen readers use on every board, and the whole board where it
// is drawn flat. One cell is in the tab order; arrows move between cells, Enter or Space picks.

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

export interface CellGridProps {
  label: string;
  /** As they stand on the screen: from the left, from the top. */
  columns: readonly string[];
  rows: readonly string[];
  describe: (cell: string) => string;
  /** Null where nothing can be picked now. */
  onPick: ((cell: string) => void) | null;
  onFocus?: (cell: string | null) => void;
  onHover?: (cell: string | null) => void;
  onEscape?: () => void;
  content?: (cell: string) => ComponentChildren;
  classOf?: (cell: string) => string;
  class?: string;
}

const STEPS: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function CellGrid(props: CellGridProps) {
  const { columns, rows, onPick, onFocus, onHover } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const entry = current ?? `${columns[Math.floor(columns.length / 2)]}${rows[rows.length - 2]}`;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') props.onEscape?.();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const column = clamp(columns.indexOf(entry.charAt(0)) + step[0], columns.length);
    const row = clamp(rows.indexOf(entry.slice(1)) + step[1], rows.length);
    ref.current?.querySelector<HTMLElement>(`[data-cell="${columns[column]}${rows[row]}"]`)?.focus();
  };

  const cell = (name: string) => (
    <div role="gridcell" key={name}>
      <button
        type="button"
        data-cell={name}
        class={props.classOf?.(name)}
        tabIndex={name === entry ? 0 : -1}
        aria-label={props.describe(name)}
        aria-disabled={onPick === null}
        onClick={() => onPick?.(name)}
        onFocus={() => {
          setCurrent(name);
          onFocus?.(name);
        }}
        onBlur={() => onFocus?.(null)}
        onPointerEnter={() => onHover?.(name)}
        onPointerLeave={() => onHover?.(null)}
      >
        {props.content?.(name)}
      </button>
    </div>
  );
  return (
    <div ref={ref} role="grid" aria-label={props.label} class={`cells ${props.class ?? ''}`} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <div role="row" key={row}>
          {columns.map((column) => cell(column + row))}
        </div>
      ))}
    </div>
  );
}

function clamp(index: number, length: number): number {
  return Math.min(length - 1, Math.max(0, index));
}
