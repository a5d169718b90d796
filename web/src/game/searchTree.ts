// The part of a search tree that is open on the page, as rows. Pure: knows neither engines nor pictures.

import type { Side, TreeMove, TreeNode } from '../engine/types';

/** Moves from the root of the search; '' is the root itself. */
export type NodeKey = string;
export type TreePath = readonly string[];

/** The engine answers no longer ones. */
export const LONGEST_PATH = 50;
/** Of one node, until somebody asks for all. */
export const NUM_SHOWN = 8;

interface RowPlace {
  /** Of the node that the row belongs to. */
  parent: TreePath;
  /** 1 for moves at the root. */
  level: number;
}

export interface MoveRow extends RowPlace {
  kind: 'move';
  path: TreePath;
  move: TreeMove;
  /** Whose move it is. */
  side: Side;
  /** Of the visits of all moves here. */
  share: number;
  canOpen: boolean;
  isOpen: boolean;
}

/** What is not listed: moves further down the list, and moves that were never tried. */
export interface RestRow extends RowPlace {
  kind: 'rest';
  numHidden: number;
  numUntried: number;
}

export type TreeRow = MoveRow | RestRow;

export interface OpenTree {
  nodes: ReadonlyMap<NodeKey, TreeNode>;
  open: ReadonlySet<NodeKey>;
  /** Nodes whose moves are all listed. */
  whole: ReadonlySet<NodeKey>;
}

export const ONLY_ROOT: OpenTree = { nodes: new Map(), open: new Set(['']), whole: new Set() };

export function keyOf(path: TreePath): NodeKey {
  return path.join(' ');
}

export function pathOf(key: NodeKey): string[] {
  return key === '' ? [] : key.split(' ');
}

export function rowsOf(tree: OpenTree, parent: TreePath = []): TreeRow[] {
  const key = keyOf(parent);
  const node = tree.nodes.get(key);
  if (node === undefined || !tree.open.has(key)) return [];
  const level = parent.length + 1;
  const total = Math.max(
    1,
    node.moves.reduce((sum, { visits }) => sum + visits, 0),
  );
  const shown = tree.whole.has(key) ? node.moves : node.moves.slice(0, NUM_SHOWN);
  const rows = shown.flatMap((move): TreeRow[] => {
    const path = [...parent, move.move];
    const canOpen = move.isExpanded && path.length <= LONGEST_PATH;
    const isOpen = canOpen && tree.open.has(keyOf(path));
    const share = move.visits / total;
    const row: MoveRow = { kind: 'move', parent, level, path, move, side: node.sideToMove, share, canOpen, isOpen };
    return isOpen ? [row, ...rowsOf(tree, path)] : [row];
  });
  const numHidden = node.moves.length - shown.length;
  const rest: RestRow = { kind: 'rest', parent, level, numHidden, numUntried: node.numUntried };
  return numHidden + node.numUntried > 0 ? [...rows, rest] : rows;
}

export function rowKey(row: TreeRow): string {
  return row.kind === 'move' ? keyOf(row.path) : `${keyOf(row.parent)} …`;
}

/** Where an arrow key leads from a row of the list; null: the key means something else here. */
export function rowAfterKey(rows: readonly TreeRow[], index: number, key: string): number | null {
  const row = rows[index];
  if (row === undefined) return null;
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'ArrowDown':
      return Math.min(rows.length - 1, index + 1);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      return row.kind === 'move' && row.isOpen ? Math.min(rows.length - 1, index + 1) : null;
    case 'ArrowLeft': {
      if (row.kind === 'move' && row.isOpen) return null;
      const parent = rows.findIndex((other) => other.kind === 'move' && keyOf(other.path) === keyOf(row.parent));
      return parent < 0 ? index : parent;
    }
    default:
      return null;
  }
}

/** A node opens or closes; what lies below it stays as it was. */
export function toggled(set: ReadonlySet<NodeKey>, key: NodeKey): ReadonlySet<NodeKey> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Null: the search has no such node, or not any more. */
export function withNode(tree: OpenTree, key: NodeKey, node: TreeNode | null): OpenTree {
  const nodes = new Map(tree.nodes);
  if (node === null) nodes.delete(key);
  else nodes.set(key, node);
  return { ...tree, nodes };
}
