import { describe, expect, it } from 'vitest';
import { EngineProblem, type Engine, type GameMoves } from '../src/engine/types';
import { readText } from '../src/study/reading';
import { writePgn } from '../src/study/pgn';

/** Takes every word for a move but "--", which PGNs of other programs write for a threat. */
const engine = {
  position: async ({ start, moves }: GameMoves) => {
    if (moves.includes('--')) throw new EngineProblem("illegal move '--'");
    return { text: start, moves, notation: moves };
  },
} as unknown as Engine;

describe('games that are read', () => {
  it('lose the end of a variation that has no legal move, and say so', async () => {
    const text = '1. e4 (1. d4 d5 2. -- {threat} Nf6 (2... Nc6)) (1. c4) 1... e5 *';
    const { games, refused } = await readText(engine, 'chess', text);
    expect(writePgn(games[0]!)).toContain('1. e4 ( 1. d4 d5 ) ( 1. c4 ) 1... e5 *');
    expect(refused).toEqual(["A variation ends before --: illegal move '--'."]);
  });

  it('are left out if their main line is refused, and tell how far they are', async () => {
    const heard: [number, number][] = [];
    const text = ['[Event "A"]\n\n1. e4 *', '[Event "B"]\n\n1. e4 -- *', '[Event "C"]\n\n1. d4 (1. --) *'].join('\n\n');
    const { games, refused } = await readText(engine, 'chess', text, (...far) => heard.push(far));
    expect(games.length).toBe(2);
    expect(refused[0]).toBe("Game 2 was left out: illegal move '--'.");
    expect(refused[1]).toBe("Game 3: A variation ends before --: illegal move '--'.");
    expect(heard).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
  });

  it('say of many games that were left out how many', async () => {
    const games = Array.from({ length: 30 }, (_, index) => `[Event "${index}"]\n\n1. ${index === 0 ? 'e4' : '--'} *`);
    const { refused } = await readText(engine, 'chess', games.join('\n\n'));
    expect(refused.length).toBe(7);
    expect(refused.at(-1)).toBe('23 more games or variations were left out.');
  });
});
