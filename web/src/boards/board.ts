// What every board is given and may say. Boards draw what an engine told and hold no rules.

import type { PositionView } from '../engine/types';

export interface BoardProps {
  position: PositionView;
  lastMove: string | null;
  /** Seen from the second player's side. */
  flipped: boolean;
  /** Null while the person may not move. */
  onMove: ((move: string) => void) | null;
  /** Moves to point out, the next one first. */
  line: readonly string[];
  /** What a search prefers, best first; drawn while no line is pointed out. */
  arrows?: readonly Arrow[];
  label: string;
}

export interface Arrow {
  move: string;
  /** Of the visits or of the policy, 0 to 1; null: the search has an order and no shares. */
  share: number | null;
}

export const FILES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

export function inOrder<T>(items: readonly T[], reversed: boolean): T[] {
  return reversed ? [...items].reverse() : [...items];
}

/** "1" to the given number, from the top of the screen down. */
export function rowNames(numRows: number, flipped: boolean): string[] {
  const upwards = Array.from({ length: numRows }, (_, index) => String(index + 1));
  return inOrder(upwards, !flipped);
}
