import { describe, expect, it } from 'vitest';
import type { Engine, GameMoves } from '../src/engine/types';
import { readGameLine, writeGameLine } from '../src/study/gameLines';
import { readText } from '../src/study/reading';
import { addLine, annotate, countMoves, EMPTY_GAME, newNode, type StudyGame } from '../src/study/tree';

const START = '7/7/7/7/7/7 x';

/** Takes every word for a move. */
const engine = {
  position: async ({ start, moves }: GameMoves) => ({ text: start ?? START, moves, notation: moves }),
} as unknown as Engine;

/** A game with a variation in a variation, words at every place and a glyph. */
function wideGame(): StudyGame {
  const headers = [
    ['Event', 'At home'],
    ['White', 'Ann'],
    ['Black', 'Bob'],
    ['Result', '1-0'],
  ] as const;
  let game: StudyGame = addLine({ ...EMPTY_GAME, headers, comment: 'a game' }, [], ['d', 'd', 'e'], ['d', 'd', 'e']);
  game = addLine(game, ['d'], ['c', 'b'], ['c', 'b']);
  game = addLine(game, ['d', 'c'], ['f'], ['f']);
  game = annotate(game, ['d', 'd'], { comment: 'on top', nags: [1] });
  return annotate(game, ['d', 'c', 'f'], { comment: 'far away' });
}

describe('games of other kinds as text', () => {
  it('come back with their variations, comments, glyphs and players', async () => {
    const { games, refused } = await readText(engine, 'connect_four', writeGameLine('connect_four', wideGame()));
    expect(refused).toEqual([]);
    expect(games).toEqual([wideGame()]);
  });

  it('say nothing twice where there are only moves', () => {
    const line = writeGameLine('connect_four', addLine(EMPTY_GAME, [], ['d', 'c'], ['d', 'c']));
    expect(JSON.parse(line)).not.toHaveProperty('tree');
    expect(readGameLine('connect_four', line).children[0]?.children[0]?.san).toBe('c');
  });

  it('keep what is said before a variation', () => {
    const tree: StudyGame = {
      ...EMPTY_GAME,
      children: [newNode('d', 'd'), { ...newNode('c', 'c'), before: 'or rather' }],
    };
    const { children } = readGameLine('connect_four', writeGameLine('connect_four', tree));
    expect(children.map(({ san, before }) => [san, before])).toEqual([
      ['d', ''],
      ['c', 'or rather'],
    ]);
  });

  it('are all read where a text has several, and the one that is none is told', async () => {
    const line = writeGameLine('connect_four', wideGame());
    const other = line.replace('connect_four', 'santorini');
    const { games, refused } = await readText(engine, 'connect_four', `${line}${other}{"no": "game"}\n${line}`);
    expect(games.map(countMoves)).toEqual([6, 6]);
    expect(refused).toEqual([
      'Game 2 was left out: this is a game of santorini.',
      'Game 3 was left out: not a game of Milton in JSON.',
    ]);
  });

  it('begin at the usual start where a record names it, and have the result that the winner means', async () => {
    const line = { game: 'connect_four', start: START, moves: ['d'], winner: 1, players: ['iter_0001', 'iter_0002'] };
    const { games } = await readText(engine, 'connect_four', JSON.stringify(line));
    expect(games[0]!.start).toBeNull();
    expect(games[0]!.headers).toEqual([
      ['White', 'iter_0001'],
      ['Black', 'iter_0002'],
      ['Result', '0-1'],
    ]);
  });

  it('are refused where brackets do not fit', () => {
    const line = (tree: string): string => JSON.stringify({ game: 'connect_four', start: null, moves: [], tree });
    for (const tree of ['(d)', 'd ) e']) expect(() => readGameLine('connect_four', line(tree))).toThrow(/variation/);
  });
});
