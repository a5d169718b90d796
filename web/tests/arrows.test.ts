import { describe, expect, it } from 'vitest';
import type { Algorithm, SearchProgress } from '../src/engine/types';
import { arrowsOf } from '../src/game/arrows';
import { scoreText } from '../src/ui/words';

/** Two lines, of which the worse one took more nodes, and a move that was only refuted. */
function found(algorithm: Algorithm): SearchProgress {
  const rows: readonly [string, number, number, boolean][] = [
    ['g7g6', 16, 0.1, false],
    ['d8e7', 24, 0.2, false],
    ['g8h6', 60, 0.7, algorithm === 'alphabeta'],
  ];
  const candidates = rows.map(([move, visits, prior, isBound]) => {
    return { move, notation: move, visits, prior, value: 0.01, isBound, pv: [move] };
  });
  return { algorithm, nodes: 100, elapsedMs: 1, wdl: [0, 1, 0], value: 0, candidates, done: false };
}

describe('the arrows of a search', () => {
  it('have the shares of visits or of the policy, the largest first', () => {
    expect(arrowsOf(found('mcts'), 'visits').map(({ share }) => share)).toEqual([0.6, 0.24, 0.16]);
    expect(arrowsOf(found('mcts'), 'policy')[0]).toEqual({ move: 'g8h6', share: 0.7 });
  });

  it('are the lines of alpha-beta in their order: it spends nodes on moves that it refutes', () => {
    expect(arrowsOf(found('alphabeta'), 'visits')).toEqual([
      { move: 'g7g6', share: null },
      { move: 'd8e7', share: null },
    ]);
  });
});

it("a bound is written from the first player's point of view", () => {
  expect(scoreText('chess', { value: -0.25, isBound: true }, 0)).toBe('≤ −0.25');
  expect(scoreText('chess', { value: -0.25, isBound: true }, 1)).toBe('≥ +0.25');
  expect(scoreText('chess', { value: 0.25, isBound: false }, 0)).toBe('+0.25');
});
