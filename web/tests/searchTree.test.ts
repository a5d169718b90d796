// The open part of a search tree as rows, and how keys walk it.

import { expect, test } from 'vitest';
import type { TreeMove, TreeNode } from '../src/engine/types';
import {
  keyOf,
  NUM_SHOWN,
  ONLY_ROOT,
  pathOf,
  rowAfterKey,
  rowKey,
  rowsOf,
  toggled,
  withNode,
  type OpenTree,
} from '../src/game/searchTree';

function move(name: string, visits: number, isExpanded = true): TreeMove {
  return { move: name, notation: name, visits, prior: 0.1, value: 0, exploration: 0.1, mateIn: null, isExpanded };
}

function node(moves: TreeMove[], numUntried = 0, sideToMove: 0 | 1 = 0): TreeNode {
  return { sideToMove, visits: 1, value: 0, numUntried, moves };
}

function opened(): OpenTree {
  let tree = withNode(ONLY_ROOT, '', node([move('e4', 30), move('d4', 10, false)], 18));
  tree = withNode(tree, 'e4', node([move('e5', 20), move('c5', 9)], 0, 1));
  return { ...tree, open: toggled(tree.open, 'e4') };
}

test('open nodes put their moves below them', () => {
  const rows = rowsOf(opened());
  expect(rows.map(rowKey)).toEqual(['e4', 'e4 e5', 'e4 c5', 'd4', ' …']);
  expect(rows.map(({ level }) => level)).toEqual([1, 2, 2, 1, 1]);
  expect(rows[0]).toMatchObject({ side: 0, share: 0.75, canOpen: true, isOpen: true });
  expect(rows[1]).toMatchObject({ side: 1, isOpen: false });
  expect(rows[3]).toMatchObject({ canOpen: false });
  expect(rows[4]).toMatchObject({ kind: 'rest', numHidden: 0, numUntried: 18 });
});

test('long lists are cut until somebody asks for all', () => {
  const many = Array.from({ length: NUM_SHOWN + 3 }, (_, index) => move(`m${index}`, 9));
  const tree = withNode(ONLY_ROOT, '', node(many));
  expect(rowsOf(tree)).toHaveLength(NUM_SHOWN + 1);
  expect(rowsOf(tree).at(-1)).toMatchObject({ numHidden: 3, numUntried: 0 });
  expect(rowsOf({ ...tree, whole: toggled(tree.whole, '') })).toHaveLength(NUM_SHOWN + 3);
});

test('arrows walk the rows and leave opening to the page', () => {
  const rows = rowsOf(opened());
  expect(rowAfterKey(rows, 0, 'ArrowDown')).toBe(1);
  expect(rowAfterKey(rows, 0, 'ArrowUp')).toBe(0);
  expect(rowAfterKey(rows, 0, 'ArrowRight')).toBe(1);
  expect(rowAfterKey(rows, 1, 'ArrowRight')).toBeNull();
  expect(rowAfterKey(rows, 0, 'ArrowLeft')).toBeNull();
  expect(rowAfterKey(rows, 2, 'ArrowLeft')).toBe(0);
  expect(rowAfterKey(rows, 3, 'ArrowLeft')).toBe(3);
  expect(rowAfterKey(rows, 2, 'Home')).toBe(0);
  expect(rowAfterKey(rows, 2, 'End')).toBe(4);
  expect(rowAfterKey(rows, 2, 'x')).toBeNull();
});

test('a node that went away takes its rows with it', () => {
  expect(rowsOf(withNode(opened(), 'e4', null)).map(rowKey)).toEqual(['e4', 'd4', ' …']);
  expect(rowsOf(withNode(opened(), '', null))).toEqual([]);
});

test('paths and keys are the same', () => {
  expect(pathOf(keyOf(['e2e4', 'e7e5']))).toEqual(['e2e4', 'e7e5']);
  expect(pathOf(keyOf([]))).toEqual([]);
});
