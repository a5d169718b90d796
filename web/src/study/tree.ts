// A game with its variations, as an immutable value. Nothing is ever truncated: a new move becomes a variation, and
// only `removeAt` takes moves away. Knows no rules and no engine.

export interface StudyNode {
  /** Core notation; unique among its siblings. */
  readonly move: string;
  readonly notation: string;
  /** What is said before the move, and after it. */
  readonly before: string;
  readonly comment: string;
  /** Numeric annotation glyphs: 1 is "!", 2 is "?". */
  readonly nags: readonly number[];
  /** The main continuation first. */
  readonly children: readonly StudyNode[];
}

export interface StudyGame {
  readonly headers: readonly (readonly [string, string])[];
  /** Position text; null for the usual start. */
  readonly start: string | null;
  /** What is said before the first move. */
  readonly comment: string;
  readonly children: readonly StudyNode[];
}

/** The moves from the start to a node; the empty path is the start. */
export type Path = readonly string[];

type Parent = { readonly children: readonly StudyNode[] };

export const EMPTY_GAME: StudyGame = { headers: [], start: null, comment: '', children: [] };

export function newNode(move: string, notation: string, children: readonly StudyNode[] = []): StudyNode {
  return { move, notation, before: '', comment: '', nags: [], children };
}

/** The nodes along a path, as far as it is in the tree. */
export function nodesOn(game: StudyGame, path: Path): StudyNode[] {
  const nodes: StudyNode[] = [];
  let parent: Parent = game;
  for (const move of path) {
    const next = parent.children.find((child) => child.move === move);
    if (next === undefined) break;
    nodes.push(next);
    parent = next;
  }
  return nodes;
}

export function nodeAt(game: StudyGame, path: Path): StudyNode | null {
  const nodes = nodesOn(game, path);
  return nodes.length === path.length ? (nodes.at(-1) ?? null) : null;
}

/** As much of a path as the tree has. */
export function existingPath(game: StudyGame, path: Path): Path {
  return path.slice(0, nodesOn(game, path).length);
}

/** The path, and on from there along first children to the end. */
export function lineThrough(game: StudyGame, path: Path): Path {
  const line = [...existingPath(game, path)];
  let parent: Parent = nodesOn(game, line).at(-1) ?? game;
  for (let next = parent.children[0]; next !== undefined; next = parent.children[0]) {
    line.push(next.move);
    parent = next;
  }
  return line;
}

/** Adds moves below a path; those that are there already stay as they are. */
export function addLine(game: StudyGame, path: Path, moves: readonly string[], notation: readonly string[]): StudyGame {
  const [move, ...rest] = moves;
  if (move === undefined) return game;
  const [text = move, ...restOfNotation] = notation;
  const parent = nodeAt(game, path) ?? game;
  const isKnown = parent.children.some((child) => child.move === move);
  const grown = isKnown
    ? game
    : changeAt(game, path, (node) => ({ ...node, children: [...node.children, newNode(move, text)] }));
  return addLine(grown, [...path, move], rest, restOfNotation);
}

export function annotate(game: StudyGame, path: Path, change: Partial<Pick<StudyNode, 'comment' | 'nags'>>): StudyGame {
  if (path.length === 0) return { ...game, comment: change.comment ?? game.comment };
  return changeAt(game, path, (node) => ({ ...node, ...change }) as Parent);
}

/** Makes the line to a node the main one, all the way from the start. */
export function makeMainLine(game: StudyGame, path: Path): StudyGame {
  return path.reduce(
    (changed, move, index) =>
      changeAt(changed, path.slice(0, index), (node) => ({ ...node, children: firstIs(node.children, move) })),
    game,
  );
}

/** Takes a node away with everything below it: the only way to lose a move. */
export function removeAt(game: StudyGame, path: Path): StudyGame {
  const move = path.at(-1);
  if (move === undefined) return game;
  return changeAt(game, path.slice(0, -1), (node) => ({
    ...node,
    children: node.children.filter((child) => child.move !== move),
  }));
}

export function isOnMainLine(game: StudyGame, path: Path): boolean {
  let parent: Parent = game;
  for (const move of path) {
    const [first] = parent.children;
    if (first?.move !== move) return false;
    parent = first;
  }
  return true;
}

/** The paths that stand beside this one's last move, itself among them. */
export function siblingPaths(game: StudyGame, path: Path): Path[] {
  if (path.length === 0) return [];
  const parent = path.slice(0, -1);
  return (nodeAt(game, parent) ?? game).children.map((child) => [...parent, child.move]);
}

/** Two children with the same move become one, with the continuations of both. */
export function mergeChildren(children: readonly StudyNode[]): StudyNode[] {
  const merged: StudyNode[] = [];
  for (const child of children) {
    const index = merged.findIndex((known) => known.move === child.move);
    const known = merged[index];
    if (known === undefined) merged.push(child);
    else {
      const comment = [known.comment, child.comment].filter((text) => text !== '').join(' ');
      merged[index] = { ...known, comment, children: mergeChildren([...known.children, ...child.children]) };
    }
  }
  return merged;
}

export function headerOf(game: StudyGame, name: string): string | null {
  const value = game.headers.find(([key]) => key === name)?.[1] ?? '';
  return /^[?.*]*$/.test(value) ? null : value;
}

export function countMoves(game: StudyGame): number {
  const count = (children: readonly StudyNode[]): number =>
    children.reduce((sum, child) => sum + 1 + count(child.children), 0);
  return count(game.children);
}

function firstIs(children: readonly StudyNode[], move: string): StudyNode[] {
  return [...children.filter((child) => child.move === move), ...children.filter((child) => child.move !== move)];
}

function changeAt<T extends Parent>(parent: T, path: Path, change: (node: Parent) => Parent): T {
  const [move, ...rest] = path;
  if (move === undefined) return change(parent) as T;
  return {
    ...parent,
    children: parent.children.map((child) => (child.move === move ? changeAt(child, rest, change) : child)),
  };
}
