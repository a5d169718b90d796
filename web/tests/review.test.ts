import { describe, expect, it } from 'vitest';
import type { Engine, NetworkInfo } from '../src/engine/types';
import { annotated, whyText } from '../src/review/annotate';
import {
  accuracyOf,
  inWords,
  judge,
  lostBy,
  matesOf,
  reviewerOf,
  summaryOf,
  type Evaluation,
  type Review,
} from '../src/review/review';
import { addLine, EMPTY_GAME, nodeAt } from '../src/study/tree';

const NOTHING_LOST = {
  playedLine: [],
  betterLine: [],
  betterNotation: [],
  missedMateIn: null,
  allowedMateIn: null,
  reason: null,
  words: '',
};
const evaluation = (value: number, ...line: string[]): Evaluation => ({ value, mateIn: null, line });

describe('a review', () => {
  it('is the shipped champion’s unless somebody chooses, and the best network’s where none is shipped', () => {
    const network = (id: string): NetworkInfo => ({ id, label: id, note: '' }) as NetworkInfo;
    expect(reviewerOf(['champion', 'run:iter_0002', 'shipped'].map(network))).toBe('shipped');
    expect(reviewerOf(['champion', 'uniform'].map(network))).toBe('champion');
    expect(reviewerOf([])).toBe('');
  });

  it('counts what the mover lost, whichever side that is', () => {
    expect(lostBy(0, evaluation(0.2, 'best'), evaluation(-0.4, 'x'), 'other')).toBeCloseTo(0.3);
    expect(lostBy(1, evaluation(-0.2, 'best'), evaluation(0.4, 'x'), 'other')).toBeCloseTo(0.3);
    expect(lostBy(1, evaluation(0.4, 'best'), evaluation(-0.4, 'x'), 'other')).toBe(0);
  });

  it('does not blame the best move for what a second look found', () => {
    expect(lostBy(0, evaluation(0.5, 'best'), evaluation(-0.5), 'best')).toBe(0);
    expect(judge(0.5, true)).toBe('best');
  });

  it('judges by thresholds', () => {
    expect([0.04, 0.05, 0.1, 0.15].map((lost) => judge(lost, false))).toEqual([
      'good',
      'inaccuracy',
      'mistake',
      'blunder',
    ]);
    expect(accuracyOf(0)).toBeCloseTo(100, 1);
    expect(accuracyOf(1)).toBeLessThan(1);
  });

  const review: Review = {
    record: { game: 'chess', start: null, moves: ['f2f3', 'e7e5', 'g2g4'] },
    scores: [0.5, 0.4, 0.4, 0],
    moves: [
      {
        ply: 0,
        side: 0,
        move: 'f2f3',
        notation: 'f3',
        lost: 0.02,
        judgement: 'good',
        ...NOTHING_LOST,
      },
      {
        ply: 1,
        side: 1,
        move: 'e7e5',
        notation: 'e5',
        lost: 0,
        judgement: 'best',
        ...NOTHING_LOST,
      },
      {
        ply: 2,
        side: 0,
        move: 'g2g4',
        notation: 'g4',
        lost: 0.4,
        judgement: 'blunder',
        ...NOTHING_LOST,
        playedLine: ['g2g4', 'd8h4'],
        betterLine: ['e2e4', 'd7d5'],
        betterNotation: ['e4', 'd5'],
        allowedMateIn: 1,
      },
    ],
    network: 'champion',
    algorithm: 'mcts',
  };

  it('sums up each side', () => {
    expect(summaryOf(review, 0)).toMatchObject({ numMoves: 2, counts: { inaccuracy: 0, mistake: 0, blunder: 1 } });
    expect(summaryOf(review, 1).accuracy).toBeCloseTo(100, 1);
  });

  it('is written into the game once, with the better line as a variation', () => {
    const game = addLine(EMPTY_GAME, [], review.record.moves, ['f3', 'e5', 'g4']);
    const written = annotated(game, review);
    expect(nodeAt(written, ['f2f3', 'e7e5', 'g2g4'])).toMatchObject({
      nags: [4],
      comment: 'Blunder: 40 % of the expected score lost. It allows mate in 1. Better: e4 d5.',
    });
    expect(nodeAt(written, ['f2f3', 'e7e5', 'e2e4', 'd7d5'])?.notation).toBe('d5');
    expect(annotated(written, review)).toEqual(written);
  });

  it('names mates that a move missed or allowed, as the mover sees them', () => {
    const mate = (mateIn: number | null): Evaluation => ({ value: 0, mateIn, line: ['x'] });
    expect(matesOf(0, mate(2), mate(null))).toEqual({ missed: 2, allowed: null });
    expect(matesOf(0, mate(2), mate(1))).toEqual({ missed: null, allowed: null });
    expect(matesOf(1, mate(null), mate(3))).toEqual({ missed: null, allowed: 3 });
    expect(matesOf(1, mate(4), mate(3))).toEqual({ missed: null, allowed: null });
    expect(matesOf(1, mate(-4), mate(3))).toEqual({ missed: 4, allowed: 3 });
  });

  it('takes words from a language model, and nothing else', async () => {
    const asked: unknown[] = [];
    const engine = {
      word: (_record: unknown, moves: unknown) => {
        asked.push(moves);
        const moved = { ply: 2, text: 'The king is open.', lost: 0 };
        return Promise.resolve({ provider: 'parrot', moves: [moved], numDropped: 0, problem: '' });
      },
    } as unknown as Engine;
    const { review: worded, words } = await inWords(engine, review);
    expect(words?.problem).toBe('');
    expect(asked).toEqual([
      [
        {
          ply: 2,
          lost: 0.4,
          played: ['g2g4', 'd8h4'],
          better: ['e2e4', 'd7d5'],
          missedMateIn: null,
          allowedMateIn: 1,
        },
      ],
    ]);
    expect(worded.moves[2]?.words).toBe('The king is open.');
    expect({ ...worded, moves: worded.moves.map((move) => ({ ...move, words: '' })) }).toEqual(review);
    expect(whyText(worded.moves[2]!)).toBe('The king is open.');
  });
});
