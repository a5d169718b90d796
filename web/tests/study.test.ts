import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pathFor } from '../src/study/steps';
import { allowedMoves } from '../src/pages/analyse/useMoveChoice';
import { KeptStudy } from '../src/study/kept';
import { readPgn, shownComment, writePgn } from '../src/study/pgn';
import {
  currentGame,
  EMPTY_STUDY,
  loadStudy,
  withGame,
  withGames,
  withLine,
  withoutGame,
  withReadGames,
} from '../src/study/study';
import {
  addLine,
  annotate,
  countMoves,
  EMPTY_GAME,
  existingPath,
  isOnMainLine,
  lineThrough,
  makeMainLine,
  mergeChildren,
  newNode,
  nodeAt,
  removeAt,
  type StudyGame,
} from '../src/study/tree';
import { glyphsOf, meaningsOf } from '../src/ui/glyphs';
import { algorithmText, scoreText } from '../src/ui/words';

const RUY = addLine(EMPTY_GAME, [], ['e2e4', 'e7e5', 'g1f3', 'b8c6'], ['e4', 'e5', 'Nf3', 'Nc6']);

describe('a tree of variations', () => {
  it('keeps the rest of the game when another move is tried in its middle', () => {
    const tried = addLine(RUY, ['e2e4', 'e7e5'], ['f2f4'], ['f4']);
    expect(countMoves(tried)).toBe(5);
    expect(lineThrough(tried, [])).toEqual(['e2e4', 'e7e5', 'g1f3', 'b8c6']);
    expect(lineThrough(tried, ['e2e4', 'e7e5', 'f2f4'])).toEqual(['e2e4', 'e7e5', 'f2f4']);
  });

  it('does not add what it has', () => {
    expect(addLine(RUY, [], ['e2e4', 'e7e5'], ['e4', 'e5'])).toEqual(RUY);
  });

  it('changes its main line without losing any', () => {
    const tried = addLine(RUY, ['e2e4'], ['c7c5', 'g1f3'], ['c5', 'Nf3']);
    const turned = makeMainLine(tried, ['e2e4', 'c7c5']);
    expect(lineThrough(turned, [])).toEqual(['e2e4', 'c7c5', 'g1f3']);
    expect(countMoves(turned)).toBe(countMoves(tried));
    expect(isOnMainLine(turned, ['e2e4', 'e7e5'])).toBe(false);
  });

  it('loses moves only where they are deleted', () => {
    const left = removeAt(RUY, ['e2e4', 'e7e5', 'g1f3']);
    expect(countMoves(left)).toBe(2);
    expect(existingPath(left, ['e2e4', 'e7e5', 'g1f3', 'b8c6'])).toEqual(['e2e4', 'e7e5']);
  });

  it('carries comments and glyphs', () => {
    const said = annotate(annotate(RUY, [], { comment: 'Ruy' }), ['e2e4', 'e7e5'], { comment: 'open', nags: [1] });
    expect(said.comment).toBe('Ruy');
    expect(nodeAt(said, ['e2e4', 'e7e5'])).toMatchObject({ comment: 'open', nags: [1] });
  });

  it('joins variations that begin with the same move', () => {
    const [one, ...none] = mergeChildren([
      newNode('a', 'a', [newNode('b', 'b')]),
      newNode('a', 'a', [newNode('c', 'c')]),
    ]);
    expect(one?.children.map(({ move }) => move)).toEqual(['b', 'c']);
    expect(none).toEqual([]);
  });

  it('is walked by arrows, up and down between variations', () => {
    const tried = addLine(RUY, ['e2e4'], ['c7c5'], ['c5']);
    const line = lineThrough(tried, ['e2e4', 'e7e5']);
    expect(pathFor('ArrowDown', tried, ['e2e4', 'e7e5'], line)).toEqual(['e2e4', 'c7c5']);
    expect(pathFor('ArrowUp', tried, ['e2e4'], line)).toBeNull();
    expect(pathFor('ArrowRight', tried, ['e2e4'], line)).toEqual(['e2e4', 'e7e5']);
    expect(pathFor('End', tried, [], line)).toEqual(line);
  });
});

describe('a study', () => {
  it('goes to a line of an address and adds what it lacks', () => {
    const study = withGames(EMPTY_STUDY, [RUY]);
    const there = withLine(study, null, ['e2e4', 'c7c5'], ['e4', 'c5']);
    expect(there.path).toEqual(['e2e4', 'c7c5']);
    expect(countMoves(currentGame(there))).toBe(5);
    const elsewhere = withLine(there, 'another start', [], []);
    expect(elsewhere.games.length).toBe(2);
    expect(elsewhere.index).toBe(1);
  });

  it('keeps its other games', () => {
    const study = withGames(withGames(EMPTY_STUDY, [RUY]), [EMPTY_GAME]);
    expect(study.games.length).toBe(2);
    expect(withGame(study, RUY).games).toEqual([RUY, RUY]);
    expect(withoutGame(withoutGame(study, 1), 0)).toEqual(EMPTY_STUDY);
  });
});

const PGN = `[Event "Casual"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

{ The immortal game } 1. e4 e5 2. f4 { the gambit } exf4 $1 (2... d5 { Falkbeer } 3. exd5 (3. Nf3 dxe4)) 3. Bc4 1-0

[Event "From a position"]
[FEN "8/8/8/4k3/8/8/4K3/8 b - - 0 40"]

40... Kd4 *
`;

describe('PGN', () => {
  it('is read with variations, comments, glyphs, headers and all its games', () => {
    const [first, second, ...none] = readPgn(PGN);
    expect(none).toEqual([]);
    expect(first?.comment).toBe('The immortal game');
    expect(first?.headers).toContainEqual(['White', 'Anderssen']);
    const reply = first!.children[0]!.children[0]!.children[0]!;
    expect(reply).toMatchObject({ san: 'f4', comment: 'the gambit' });
    expect(reply.children.map(({ san, nags }) => [san, nags])).toEqual([
      ['exf4', [1]],
      ['d5', []],
    ]);
    expect(reply.children[1]!.children.map(({ san }) => san)).toEqual(['exd5', 'Nf3']);
    expect(second?.start).toBe('8/8/8/4k3/8/8/4K3/8 b - - 0 40');
  });

  it('is written as it is read', () => {
    const asStudy = (game: ReturnType<typeof readPgn>[number]): StudyGame => {
      const nodes = (children: typeof game.children): StudyGame['children'] =>
        children.map(({ san, children: below, ...rest }) => ({
          ...rest,
          move: san,
          notation: san,
          children: nodes(below),
        }));
      return { ...game, children: nodes(game.children) };
    };
    const games = readPgn(PGN);
    const written = games.map((game) => writePgn(asStudy(game))).join('\n');
    expect(written).toContain('40... Kd4');
    const kept = (read: typeof games) => read.map(({ children, comment, start }) => ({ children, comment, start }));
    expect(kept(readPgn(written))).toEqual(kept(games));
    expect(readPgn(written)[0]?.headers).toContainEqual(['Black', 'Kieseritzky']);
  });
});

describe('PGN of other programs', () => {
  const remarks = (text: string) => readPgn(text).map(({ children }) => children.map(({ comment }) => comment));

  it('keeps comments to the end of a line, and semicolons elsewhere', () => {
    expect(remarks('1. e4 ; best by test }\n1... e5 *')).toEqual([['best by test']]);
    expect(remarks('[Event "a; b"]\n\n1. e4 { one; two } e5 *')).toEqual([['one; two']]);
    expect(readPgn('[Event "a; \\"b\\""]\n\n1. e4 *')[0]?.headers).toEqual([['Event', 'a; "b"']]);
  });

  it('has words for people and commands for programs', () => {
    expect(shownComment('[%clk 0:10:00] good [%cal Gg1f3] move')).toBe('good move');
    expect(shownComment('[%eval 0.2]')).toBe('');
  });

  it('shows every glyph', () => {
    expect(glyphsOf([6, 14])).toBe('?! ⩲');
    expect(glyphsOf([4])).toBe('??');
    expect(glyphsOf([200])).toBe(' $200');
    expect(meaningsOf([1, 10])).toBe('good move, equal position');
  });
});

describe('games that are read', () => {
  it('are not added twice, as by a link that is opened again', () => {
    const other = addLine(EMPTY_GAME, [], ['d2d4'], ['d4']);
    const once = withReadGames(EMPTY_STUDY, [RUY, other], []);
    expect(once.games).toEqual([RUY, other]);
    expect(withReadGames(once, [other], ['d2d4'])).toMatchObject({ games: once.games, index: 1, path: ['d2d4'] });
    const third = addLine(EMPTY_GAME, [], ['c2c4'], ['c4']);
    expect(withReadGames(once, [third, RUY], [])).toMatchObject({ games: [RUY, other, third], index: 2 });
  });
});

describe('who searched', () => {
  it('is told with the threads that searched together', () => {
    expect(algorithmText({ algorithm: 'alphabeta', depth: 14, numThreads: 2 })).toBe('alpha-beta, depth 14, 2 threads');
    expect(algorithmText({ algorithm: 'mcts', depth: 3.4, numThreads: 1 })).toBe('Monte Carlo tree search');
  });
});

describe('scores', () => {
  it('are the first player’s wherever they stand', () => {
    expect(scoreText('chess', { value: 0.5 }, 1)).toBe('−0.50');
    expect(scoreText('chess', { value: 0.5 }, 0)).toBe('+0.50');
  });

  it('say how far the end is', () => {
    expect(scoreText('chess', { value: 1, mateIn: 3 }, 0)).toBe('#3');
    expect(scoreText('chess', { value: 1, mateIn: 3 }, 1)).toBe('#−3');
    expect(scoreText('connect_four', { value: -1, mateIn: -2 }, 0)).toMatch(/ in 2$/);
  });
});

describe('moves to search', () => {
  it('are all, those that are chosen, or all but those left out', () => {
    const legal = ['a', 'b', 'c'];
    expect(allowedMoves(legal, { only: new Set(), excluded: new Set() })).toEqual([]);
    expect(allowedMoves(legal, { only: new Set(['b']), excluded: new Set() })).toEqual(['b']);
    expect(allowedMoves(legal, { only: new Set(), excluded: new Set(['b']) })).toEqual(['a', 'c']);
  });
});

describe('a study that is kept', () => {
  beforeEach(() => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('is in the storage as soon as it has changed, so that a reload at once loses nothing', () => {
    const kept = new KeptStudy('chess');
    kept.change((study) => withGame(study, RUY, ['e2e4', 'e7e5']));
    kept.change((study) => withGame(study, annotate(currentGame(study), study.path, { nags: [5] })));
    expect(loadStudy('chess')).toEqual(kept.study);
    expect(nodeAt(currentGame(loadStudy('chess')), ['e2e4', 'e7e5'])?.nags).toEqual([5]);
  });

  it('says when the browser refuses to keep it, and goes on', () => {
    const kept = new KeptStudy('chess');
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new Error('full');
      },
    });
    kept.change((study) => withGame(study, RUY));
    expect(kept.isKept).toBe(false);
    expect(currentGame(kept.study)).toEqual(RUY);
  });
});
