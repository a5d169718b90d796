// Which moves of a search a board points out. Pure: a search's answer gives arrows.

import type { Arrow } from '../boards/board';
import type { SearchProgress } from '../engine/types';

export type ArrowKind = 'visits' | 'policy';

const NUM_ARROWS = 3;
const SMALLEST_SHARE = 0.05; // of an arrow that is worth drawing

/**
 * Where the search went, or where the network would have gone before it: the difference is what searching found.
 * Alpha-beta spends nodes on moves that it refutes, so its arrows are its lines, best first, and have no shares.
 */
export function arrowsOf({ algorithm, candidates }: SearchProgress, kind: ArrowKind): Arrow[] {
  if (algorithm === 'alphabeta') {
    return candidates
      .filter(({ visits, isBound }) => visits > 0 && isBound !== true)
      .slice(0, NUM_ARROWS)
      .map(({ move }) => ({ move, share: null }));
  }
  const total = Math.max(
    1,
    candidates.reduce((sum, { visits }) => sum + visits, 0),
  );
  return candidates
    .map(({ move, visits, prior }) => ({ move, share: kind === 'visits' ? visits / total : prior }))
    .filter(({ share }) => share >= SMALLEST_SHARE)
    .sort((left, right) => right.share - left.share)
    .slice(0, NUM_ARROWS);
}
