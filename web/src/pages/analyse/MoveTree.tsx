// The moves of a game with all their variations, comments and glyphs, to step through.

import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { GameName } from '../../engine/types';
import { shownComment } from '../../study/pgn';
import { pathFor } from '../../study/steps';
import { lineThrough, nodeAt, type Path, type StudyGame, type StudyNode } from '../../study/tree';
import { glyphsOf, meaningsOf } from '../../ui/glyphs';
import { usePageKeys } from '../../ui/hooks';
import { keepInView, MoveNumber, Stepper } from '../../ui/MoveList';
import { moveNumber } from '../../ui/words';

interface Props {
  game: GameName;
  tree: StudyGame;
  path: Path;
  onGo: (path: Path) => void;
  /** Steps from where the study stands by now: keys may come faster than pictures. */
  onKeyStep: (key: string) => void;
  /** Ply of the position that the tree begins with: Black may have moved first. */
  firstPly: number;
}

export function MoveTree({ game, tree, path, onGo, onKeyStep, firstPly }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const line = useMemo(() => lineThrough(tree, path), [tree, path]);
  useStudyKeys(tree, path, line, onKeyStep);
  useEffect(() => {
    if (box.current !== null) keepInView(box.current);
  }, [path, tree]);
  // The same picture is not drawn again while a search reports ten times a second.
  const moves = useMemo(
    () => drawLine(tree.children, [], firstPly, true, { game, current: path.join('.'), onGo }),
    [game, tree, path, firstPly],
  );
  return (
    <div class="moves">
      {shownComment(tree.comment) !== '' && <p class="move-comment">{shownComment(tree.comment)}</p>}
      {tree.children.length === 0 ? (
        <p class="muted small">No moves yet. Play on the board, or paste a game.</p>
      ) : (
        <div ref={box} class="move-list move-tree" role="group" tabIndex={0} aria-label="Moves and variations">
          {moves}
        </div>
      )}
      <Stepper ply={path.length} length={line.length} onShow={(ply) => onGo(line.slice(0, ply))} />
    </div>
  );
}

interface Drawing {
  game: GameName;
  current: string;
  onGo: (path: Path) => void;
}

/** A line along first children; what else could be played stands behind each move. */
function drawLine(
  start: readonly StudyNode[],
  before: Path,
  firstPly: number,
  isMain: boolean,
  drawing: Drawing,
): VNode[] {
  const parts: VNode[] = [];
  let [children, path, needsNumber] = [start, before, true];
  while (children[0] !== undefined) {
    const [node, ...others] = children as [StudyNode, ...StudyNode[]];
    const parent = path;
    path = [...path, node.move];
    parts.push(
      <MoveWord
        key={path.join('.')}
        node={node}
        path={path}
        ply={firstPly + parent.length}
        needsNumber={needsNumber}
        isMain={isMain}
        drawing={drawing}
      />,
    );
    for (const other of others) {
      parts.push(
        <div key={`${parent.join('.')}(${other.move}`} class="variation">
          {drawLine([other], parent, firstPly, false, drawing)}
        </div>,
      );
    }
    needsNumber = shownComment(node.comment) !== '' || others.length > 0;
    children = node.children;
  }
  return parts;
}

interface MoveWordProps {
  node: StudyNode;
  path: Path;
  ply: number;
  needsNumber: boolean;
  isMain: boolean;
  drawing: Drawing;
}

function MoveWord({ node, path, ply, needsNumber, isMain, drawing }: MoveWordProps) {
  return (
    <>
      {shownComment(node.before) !== '' && <span class="move-comment">{shownComment(node.before)}</span>}
      <span class={`move-word ${isMain ? 'main' : ''}`}>
        <MoveNumber text={moveNumber(drawing.game, ply, needsNumber)} />
        <button
          type="button"
          tabIndex={-1}
          data-path={path.join('.')}
          onClick={() => drawing.onGo(path)}
          title={meaningsOf(node.nags) || undefined}
          aria-current={path.join('.') === drawing.current ? 'step' : undefined}
        >
          {node.notation}
          {glyphsOf(node.nags)}
        </button>
      </span>
      {shownComment(node.comment) !== '' && <span class="move-comment">{shownComment(node.comment)}</span>}
    </>
  );
}

const ALONG = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/** Left and right along the line, up and down between variations, Home and End; unless something needs the keys. */
function useStudyKeys(tree: StudyGame, path: Path, line: Path, onKeyStep: (key: string) => void): void {
  usePageKeys(
    // Up and down scroll the page where there are no variations.
    (key) => (ALONG.includes(key) || pathFor(key, tree, path, line) !== null ? () => onKeyStep(key) : null),
    [tree, path, line, onKeyStep],
  );
}

export function commentAt(tree: StudyGame, path: Path): string {
  return path.length === 0 ? tree.comment : (nodeAt(tree, path)?.comment ?? '');
}
