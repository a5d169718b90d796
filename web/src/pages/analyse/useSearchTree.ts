// The open nodes of a search's tree, read again while the search goes on.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engine, EngineProblem, GameMoves } from '../../engine/types';
import {
  keyOf,
  ONLY_ROOT,
  pathOf,
  toggled,
  withNode,
  type NodeKey,
  type OpenTree,
  type TreePath,
} from '../../game/searchTree';
import { asProblem } from '../../game/session';

/** People read slower than trees grow. */
const PAUSE_MS = 1_000;

export interface SearchTreeState {
  tree: OpenTree;
  problem: EngineProblem | null;
  toggle: (path: TreePath) => void;
  showAll: (path: TreePath) => void;
}

/** `isRunning`: numbers change; they are read once more when it ends. */
export function useSearchTree(engine: Engine, record: GameMoves, network: string, isRunning: boolean): SearchTreeState {
  const [tree, setTree] = useState<OpenTree>(ONLY_ROOT);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const open = useRef(tree.open);
  open.current = tree.open;
  const key = JSON.stringify([record, network]);
  useEffect(() => {
    setTree(ONLY_ROOT);
    setProblem(null);
  }, [key]);
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      for (const wanted of [...open.current].sort(byLength)) {
        if (!isCurrent) return;
        const node = await engine.lookInside(record, network, pathOf(wanted));
        if (isCurrent) setTree((known) => withNode(known, wanted, node));
      }
      if (isCurrent) setProblem(null);
    };
    const again = (): void => {
      read().then(
        () => {
          if (isCurrent && isRunning) timer = setTimeout(again, PAUSE_MS);
        },
        (error: unknown) => {
          if (isCurrent) setProblem(asProblem(error));
        },
      );
    };
    again();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [engine, key, isRunning, tree.open]);
  return {
    tree,
    problem,
    toggle: (path) => setTree((known) => ({ ...known, open: toggled(known.open, keyOf(path)) })),
    showAll: (path) => setTree((known) => ({ ...known, whole: toggled(known.whole, keyOf(path)) })),
  };
}

/** Parents before children. */
function byLength(one: NodeKey, other: NodeKey): number {
  return one.length - other.length;
}
