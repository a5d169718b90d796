// PGN to trees and back, by chessops: variations, comments, glyphs, headers, several games. Only the words of a PGN are
// read here; the engine turns them into legal moves (reading.ts).

import { ChildNode, defaultGame, makePgn, Node, parsePgn, type Game, type PgnNodeData } from 'chessops/pgn';
import type { StudyGame, StudyNode } from './tree';

/** A move as it was written, not yet known to be legal. */
export interface WrittenNode {
  readonly san: string;
  readonly before: string;
  readonly comment: string;
  readonly nags: readonly number[];
  readonly children: readonly WrittenNode[];
}

export interface WrittenGame {
  readonly headers: readonly (readonly [string, string])[];
  readonly start: string | null;
  readonly comment: string;
  readonly children: readonly WrittenNode[];
}

/** A tag with its quoted value, a comment in braces, or one to the end of its line, whose words are captured. */
const TAG_OR_COMMENT = /^\s*\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\]|\{[^}]*\}|;([^\n]*)/gm;

/** Every game of a text that has moves or a position. */
export function readPgn(text: string): WrittenGame[] {
  return parsePgn(withBracedComments(text), () => new Map())
    .map((game) => ({
      headers: [...game.headers],
      start: game.headers.get('FEN') ?? null,
      comment: textOf(game.comments),
      children: game.moves.children.map(written),
    }))
    .filter((game) => game.children.length > 0 || game.start !== null);
}

/** A comment to the end of its line in braces: chessops skips those that begin with a semicolon. */
function withBracedComments(text: string): string {
  return text.replace(TAG_OR_COMMENT, (found, toLineEnd: string | undefined) => {
    if (toLineEnd === undefined) return found;
    const words = toLineEnd.replaceAll('}', '').trim();
    return words === '' ? '' : `{ ${words} }`;
  });
}

/** One game of a study with everything in it. */
export function writePgn(game: StudyGame): string {
  const out: Game<PgnNodeData> = defaultGame();
  for (const [name, value] of game.headers) out.headers.set(name, value);
  for (const name of ['SetUp', 'FEN']) out.headers.delete(name);
  if (game.start !== null) out.headers.set('SetUp', '1').set('FEN', game.start);
  if (game.comment !== '') out.comments = [game.comment];
  append(out.moves, game.children);
  return makePgn(out);
}

/** What programs write for programs (clocks, evaluations, arrows: "[%clk 0:10:00]") is kept and not shown. */
export function shownComment(comment: string): string {
  return comment
    .replace(/\[%\w+[^\]]*\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function written({ data, children }: ChildNode<PgnNodeData>): WrittenNode {
  return {
    san: data.san,
    before: textOf(data.startingComments),
    comment: textOf(data.comments),
    nags: data.nags ?? [],
    children: children.map(written),
  };
}

function append(parent: Node<PgnNodeData>, children: readonly StudyNode[]): void {
  for (const child of children) {
    const data: PgnNodeData = { san: child.notation, nags: [...child.nags] };
    if (child.before !== '') data.startingComments = [child.before];
    if (child.comment.trim() !== '') data.comments = [child.comment.trim()];
    const node = new ChildNode(data);
    parent.children.push(node);
    append(node, child.children);
  }
}

function textOf(comments: readonly string[] | undefined): string {
  return (comments ?? []).join(' ').replace(/\s+/g, ' ').trim();
}
