// Pasted text as games of a study. The engine judges every line: what it refuses is told, never dropped in silence.

import { EngineProblem, type Engine, type GameName } from '../engine/types';
import { readGameLine, writeGameLine } from './gameLines';
import { readPgn, writePgn, type WrittenGame, type WrittenNode } from './pgn';
import { addLine, EMPTY_GAME, headerOf, mergeChildren, type StudyGame, type StudyNode } from './tree';

export const MOST_GAMES = 200;
/** Sentences about what was left out; of more they say how many. */
const MOST_REFUSED = 6;

export interface ReadGames {
  games: StudyGame[];
  /** One sentence for each game or variation that was left out; empty: nothing was. */
  refused: string[];
}

/** How many games of how many have been read. */
export type OnRead = (numDone: number, numGames: number) => void;

export async function readText(
  engine: Engine,
  game: GameName,
  text: string,
  onRead: OnRead = () => undefined,
): Promise<ReadGames> {
  const written = gamesIn(game, text);
  if (written === null) return { games: [await readOne(engine, game, text)], refused: [] };
  if (written.length === 0) throw new EngineProblem('no game was found in the text', 'Paste a FEN or a PGN.');
  const games: StudyGame[] = [];
  const refused: string[] = [];
  for (const [index, read] of written.slice(0, MOST_GAMES).entries()) {
    onRead(index, Math.min(written.length, MOST_GAMES));
    try {
      const { found, cuts } = await resolve(engine, game, read());
      games.push(found);
      refused.push(...cuts.map((cut) => (written.length === 1 ? cut : `Game ${index + 1}: ${cut}`)));
    } catch (error) {
      if (!(error instanceof EngineProblem)) throw error;
      if (written.length === 1) throw error;
      refused.push(`Game ${index + 1} was left out: ${error.message}.`);
    }
  }
  if (games.length === 0) throw new EngineProblem(refused[0] ?? 'no game could be read', 'Correct the moves.');
  const numMore = refused.length - MOST_REFUSED;
  if (numMore > 0) refused.splice(MOST_REFUSED, numMore, `${numMore} more games or variations were left out.`);
  if (written.length > MOST_GAMES)
    refused.push(`The text has ${written.length} games; the first ${MOST_GAMES} were read.`);
  return { games, refused };
}

/** Games as text that `readText` reads again: PGN for chess, lines of JSON for the others. */
export function writeText(game: GameName, games: readonly StudyGame[]): string {
  return game === 'chess' ? games.map(writePgn).join('\n') : games.map((each) => writeGameLine(game, each)).join('');
}

/** "Anderssen – Kieseritzky, 1-0", or what else is known of a game. */
export function titleOf(game: StudyGame): string {
  const players = ['White', 'Black'].map((name) => headerOf(game, name) ?? '?');
  const result = headerOf(game, 'Result');
  if (players.every((name) => name === '?'))
    return headerOf(game, 'Event') ?? (game.start === null ? 'Untitled' : 'From a position');
  return `${players.join(' – ')}${result === null ? '' : `, ${result}`}`;
}

/** The games of a PGN or of lines of JSON, each to be read by itself; null where the text is a position or moves. */
function gamesIn(game: GameName, text: string): (() => WrittenGame)[] | null {
  if (/^\s*\{\s*"/.test(text)) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => () => readGameLine(game, line));
  }
  // A FEN has slashes in its first word.
  if (game !== 'chess' || /^\s*[^\s.[]*\//.test(text)) return null;
  return readPgn(text).map((written) => () => written);
}

async function readOne(engine: Engine, game: GameName, text: string): Promise<StudyGame> {
  const words = text.trim().split(/\s+/);
  // Games without a PGN of their own may be pasted as a list of moves.
  const isList = game !== 'chess' && words.every((word) => /^[a-z]\d?(?:[a-z]\d)*$/i.test(word));
  const record = isList ? { game, start: null, moves: words } : await engine.importGame(game, text);
  const { moves, notation } = await engine.position(record);
  return addLine({ ...EMPTY_GAME, start: record.start }, [], moves, notation);
}

interface Resolved {
  found: StudyGame;
  /** One sentence for each variation that lost its end. */
  cuts: string[];
}

/** Asks the engine for every line of the tree, from its start to its end. A variation ends before what is no move. */
async function resolve(engine: Engine, name: GameName, game: WrittenGame): Promise<Resolved> {
  const variant = game.headers.find(([name]) => name === 'Variant')?.[1] ?? 'Standard';
  if (name === 'chess' && !/^(standard|chess|from position)$/i.test(variant))
    throw new EngineProblem(`a game of ${variant}`, 'Only standard chess is played here.');
  const known = new Map<WrittenNode, { move: string; notation: string }>();
  const refused = new Set<WrittenNode>();
  const cuts: string[] = [];
  const start = await startOf(engine, name, game.start);
  const learn = async (line: readonly WrittenNode[]): Promise<void> => {
    const { moves, notation } = await engine.position({ game: name, start, moves: line.map(({ san }) => san) });
    line.forEach((node, ply) => known.set(node, { move: moves[ply]!, notation: notation[ply]! }));
  };
  for (const [index, line] of linesOf(game.children).entries()) {
    if (line.some((node) => refused.has(node))) continue;
    try {
      await learn(line);
    } catch (error) {
      const isMainLine = index === 0;
      if (isMainLine || !(error instanceof EngineProblem)) throw error;
      const first = await firstRefused(line, learn);
      if (first === null) throw error;
      refused.add(first);
      cuts.push(`A variation ends before ${first.san}: ${error.message}.`);
    }
  }
  const build = (children: readonly WrittenNode[]): StudyNode[] =>
    mergeChildren(
      children
        .filter((node) => !refused.has(node))
        .map((node) => ({
          ...known.get(node)!,
          before: node.before,
          comment: node.comment,
          nags: node.nags,
          children: build(node.children),
        })),
    );
  const headers = game.headers.filter(([name]) => name !== 'FEN' && name !== 'SetUp');
  return { found: { headers, start, comment: game.comment, children: build(game.children) }, cuts };
}

/** As the engine writes it; null for the usual start, which records may name. */
async function startOf(engine: Engine, game: GameName, start: string | null): Promise<string | null> {
  if (start === null) return null;
  const { text } = await engine.position({ game, start, moves: [] });
  return text === (await engine.position({ game, start: null, moves: [] })).text ? null : text;
}

/** The move that makes a refused line one; what stands before it is learnt. Null: the engine has changed its mind. */
async function firstRefused(
  line: readonly WrittenNode[],
  learn: (line: readonly WrittenNode[]) => Promise<void>,
): Promise<WrittenNode | null> {
  for (let length = line.length - 1; length >= 0; length -= 1) {
    try {
      await learn(line.slice(0, length));
      return line[length]!;
    } catch (error) {
      if (!(error instanceof EngineProblem)) throw error;
    }
  }
  return null;
}

/** Every way from the start to an end. */
function linesOf(children: readonly WrittenNode[]): WrittenNode[][] {
  const lines: WrittenNode[][] = [];
  const follow = (node: WrittenNode, before: WrittenNode[]): void => {
    const line = [...before, node];
    if (node.children.length === 0) lines.push(line);
    for (const child of node.children) follow(child, line);
  };
  for (const child of children) follow(child, []);
  return lines;
}
