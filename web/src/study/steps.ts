// What a key does in a tree of moves: along the line, between variations, to its ends.

import { siblingPaths, type Path, type StudyGame } from './tree';

/** Null where the key means nothing. */
export function pathFor(key: string, tree: StudyGame, path: Path, line: Path): Path | null {
  switch (key) {
    case 'ArrowLeft':
      return path.length === 0 ? null : path.slice(0, -1);
    case 'ArrowRight':
      return path.length === line.length ? null : line.slice(0, path.length + 1);
    case 'Home':
      return [];
    case 'End':
      return line;
    case 'ArrowUp':
    case 'ArrowDown': {
      const siblings = siblingPaths(tree, path);
      if (siblings.length < 2) return null;
      const here = siblings.findIndex((sibling) => sibling.at(-1) === path.at(-1));
      const step = key === 'ArrowDown' ? 1 : -1;
      return siblings[(here + step + siblings.length) % siblings.length] ?? null;
    }
    default:
      return null;
  }
}
