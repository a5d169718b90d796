// Games without a PGN of their own, each as one line of JSON: the record that Milton's programs write and read, and beside
// it the tree with variations, comments and glyphs as text. Only words are read here; the engine judges the moves.

import { isObject } from '../app/storage';
import { EngineProblem, type GameName } from '../engine/types';
import type { WrittenGame, WrittenNode } from './pgn';
import { lineThrough, type StudyGame, type StudyNode } from './tree';

/** Tags that the fields of the record say. */
const FIELDS = ['White', 'Black', 'Result'];
const RESULTS: { readonly [winner: string]: string } = { '0': '1-0', '1': '0-1', '-1': '1/2-1/2' };

/** One game of a study with everything in it. */
export function writeGameLine(name: GameName, game: StudyGame): string {
  const tag = (wanted: string): string => game.headers.find(([key]) => key === wanted)?.[1] ?? '';
  const tags = game.headers.filter(([key]) => !FIELDS.includes(key));
  const moves = lineThrough(game, []);
  const tree = [...comment(game.comment), ...words(game.children)].join(' ');
  const line = {
    game: name,
    start: game.start,
    moves,
    players: [tag('White') || '?', tag('Black') || '?'],
    result: tag('Result') || '*',
    ...(tags.length === 0 ? {} : { tags: Object.fromEntries(tags) }),
    ...(tree === moves.join(' ') ? {} : { tree }), // nothing but the moves
  };
  return `${JSON.stringify(line)}\n`;
}

/** A move, what else could be played in brackets, and on: "d d (c c) e". */
function words(children: readonly StudyNode[]): string[] {
  const [main, ...others] = children;
  if (main === undefined) return [];
  return [
    ...own(main),
    ...others.flatMap((other) => ['(', ...comment(other.before), ...own(other), ...words(other.children), ')']),
    ...words(main.children),
  ];
}

function own(node: StudyNode): string[] {
  return [node.move, ...node.nags.map((nag) => `$${nag}`), ...comment(node.comment)];
}

function comment(text: string): string[] {
  const said = text.replaceAll('}', '').trim();
  return said === '' ? [] : [`{ ${said} }`];
}

/** What a line says. Throws where it is no game of this name. */
export function readGameLine(name: GameName, line: string): WrittenGame {
  const fields = parsed(line);
  if (fields?.['game'] !== name && typeof fields?.['game'] === 'string')
    throw new EngineProblem(`this is a game of ${fields['game']}`, `Paste a game of ${name}.`);
  const { start = null, moves, tree } = fields ?? {};
  if (fields === null || !(start === null || typeof start === 'string') || !isTexts(moves))
    throw new EngineProblem(
      'not a game of Milton in JSON',
      'Paste a position, moves, or a game as this page exports it.',
    );
  const headers = headersOf(fields);
  return { headers, start, ...readTree(typeof tree === 'string' ? tree : moves.join(' ')) };
}

function parsed(line: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function headersOf(fields: { readonly [key: string]: unknown }): [string, string][] {
  const { players, winner, result, tags } = fields;
  const [white = '', black = ''] = isTexts(players) ? players : [];
  const told = typeof result === 'string' ? result : (RESULTS[String(winner)] ?? '*');
  const isKnown = (value: string): boolean => value !== '' && value !== '?';
  const pairs: [string, string][] = [
    ...Object.entries(isObject(tags) ? tags : {}).map(([name, value]): [string, string] => [name, String(value)]),
    ['White', white],
    ['Black', black],
  ];
  const known = pairs.filter(([, value]) => isKnown(value));
  return told === '*' ? known : [...known, ['Result', told]];
}

interface Draft extends WrittenNode {
  before: string;
  comment: string;
  nags: number[];
  children: Draft[];
}

const WORD = /\{[^}]*\}|[()]|[^\s(){}]+/g;

/** The other way round than `words`. */
export function readTree(text: string): Pick<WrittenGame, 'comment' | 'children'> {
  const root = draft('');
  const waiting: { parent: Draft | null; last: Draft }[] = [];
  let [parent, last]: [Draft | null, Draft] = [null, root];
  let before: string | null = null; // a variation has just begun: what is said stands before its first move
  for (const word of text.match(WORD) ?? []) {
    if (word === '(') {
      if (parent === null) throw new EngineProblem('a variation before the first move', 'Correct the brackets.');
      waiting.push({ parent, last });
      [parent, last, before] = [null, parent, ''];
    } else if (word === ')') {
      const outer = waiting.pop();
      if (outer === undefined) throw new EngineProblem('a bracket closes no variation', 'Correct the brackets.');
      ({ parent, last } = outer);
      before = null;
    } else if (word.startsWith('{')) {
      const said = word.slice(1, -1).trim();
      if (before === null) last.comment = joined(last.comment, said);
      else before = joined(before, said);
    } else if (/^\$\d+$/.test(word)) {
      last.nags.push(Number(word.slice(1)));
    } else {
      const next: Draft = { ...draft(word), before: before ?? '' };
      last.children.push(next);
      [parent, last, before] = [last, next, null];
    }
  }
  return { comment: root.comment, children: root.children };
}

function draft(san: string): Draft {
  return { san, before: '', comment: '', nags: [], children: [] };
}

function joined(...texts: string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
