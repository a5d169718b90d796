// What is known of a run, and how a message of the server changes it. Rows are kept in order of their iteration.

import type { IterationRow, LiveGame, RunNote, RunStreamMessage, RunView } from './messages';

export interface RunState {
  runId: string;
  run: RunView | null;
  live: LiveGame | null;
  notes: RunNote[];
  rows: IterationRow[];
  /** Why nothing comes, as the server put it. */
  problem: { message: string; hint: string } | null;
}

export const NO_RUN: RunState = { runId: '', run: null, live: null, notes: [], rows: [], problem: null };

const MOST_NOTES = 200;

export function applyMessage(state: RunState, message: RunStreamMessage): RunState {
  switch (message.kind) {
    case 'snapshot': {
      const { runId, run, live, notes } = message;
      // The stream goes on after the rows that the page has, unless the run is another one.
      return { runId, run, live, notes, rows: runId === state.runId ? state.rows : [], problem: null };
    }
    case 'run':
      return { ...state, run: message.run };
    case 'live':
      return { ...state, live: message.live };
    case 'notes':
      return { ...state, notes: [...state.notes, ...message.notes].slice(-MOST_NOTES) };
    case 'iterations':
      return { ...state, rows: mergeRows(state.rows, message.iterations) };
    case 'problem':
      return { ...state, problem: { message: message.message, hint: message.hint } };
  }
}

/** New rows replace those of the same number; both lists are in order, so old rows are copied in one piece. */
export function mergeRows(known: readonly IterationRow[], fresh: readonly IterationRow[]): IterationRow[] {
  const [first] = fresh;
  if (first === undefined) return [...known];
  const before = known.filter((row) => row.iteration < first.iteration);
  const numbers = new Set(fresh.map((row) => row.iteration));
  const after = known.filter((row) => row.iteration >= first.iteration && !numbers.has(row.iteration));
  return [...before, ...[...after, ...fresh].sort((left, right) => left.iteration - right.iteration)];
}
