// The moves of a game with all their variations, comments and glyphs, to step through.

import { GAME_INFO } from '../../api/games';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { GameName } from '../../engine/types';
import { pathFor } from '../../study/steps';
import { lineThrough, nodeAt, type Path, type StudyGame, type StudyNode } from '../../study/tree';
import { glyphsOf } from '../../ui/glyphs';
import { Button } from '../../ui/parts';

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
  useEffect(() => keepInView(box.current), [path, tree]);
  // The same picture is not drawn again while a search reports ten times a second.
  const moves = useMemo(
    () => drawLine(tree.children, [], firstPly, true, { game, current: path.join('.'), onGo }),
    [game, tree, path, firstPly],
  );
  return (
    <div class="moves">
      {tree.comment !== '' && <p class="move-comment">{tree.comment}</p>}
      {tree.children.length === 0 ? (
        <p class="muted small">No moves yet. Play on the board, or paste a game.</p>
      ) : (
        <div ref={box} class="move-list move-tree" role="group" tabIndex={0} aria-label="Moves and variations">
          {moves}
        </div>
      )}
      <div class="stepper" role="group" aria-label="Step through the moves">
        <Button icon="first" label="First position" disabled={path.length === 0} onClick={() => onGo([])} />
        <Button
          icon="previous"
          label="One move back"
          disabled={path.length === 0}
          onClick={() => onGo(path.slice(0, -1))}
        />
        <span class="number small muted" aria-live="off">
          {path.length} / {line.length}
        </span>
        <Button
          icon="next"
          label="One move on"
          disabled={path.length === line.length}
          onClick={() => onGo(line.slice(0, path.length + 1))}
        />
        <Button icon="last" label="Last position" disabled={path.length === line.length} onClick={() => onGo(line)} />
      </div>
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
    needsNumber = node.comment !== '' || others.length > 0;
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
      {node.before !== '' && <span class="move-comment">{node.before}</span>}
      <span class={`move-word ${isMain ? 'main' : ''}`}>
        {numberOf(drawing.game, ply, needsNumber)}
        <button
          type="button"
          tabIndex={-1}
          data-path={path.join('.')}
          onClick={() => drawing.onGo(path)}
          aria-current={path.join('.') === drawing.current ? 'step' : undefined}
        >
          {node.notation}
          {glyphsOf(node.nags)}
        </button>
      </span>
      {node.comment !== '' && <span class="move-comment">{node.comment}</span>}
    </>
  );
}

const ALONG = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/** Left and right along the line, up and down between variations, Home and End; unless something needs the keys. */
function useStudyKeys(tree: StudyGame, path: Path, line: Path, onKeyStep: (key: string) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement | null;
      if (
        target?.closest('input, textarea, select, dialog, [role="grid"], [role="radiogroup"]') ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      // Up and down scroll the page where there are no variations.
      if (!ALONG.includes(event.key) && pathFor(event.key, tree, path, line) === null) return;
      event.preventDefault();
      onKeyStep(event.key);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [tree, path, line, onKeyStep]);
}

export function commentAt(tree: StudyGame, path: Path): string {
  return path.length === 0 ? tree.comment : (nodeAt(tree, path)?.comment ?? '');
}

function keepInView(box: HTMLDivElement | null): void {
  const current = box?.querySelector<HTMLElement>('[aria-current]');
  if (box === null || current === null || current === undefined) return;
  const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top - box.clientHeight / 2;
}

function numberOf(game: GameName, ply: number, isNeeded: boolean) {
  if (GAME_INFO[game].moveNumbers === 'each') return <span class="move-number">{ply + 1}.</span>;
  if (ply % 2 === 0) return <span class="move-number">{ply / 2 + 1}.</span>;
  return isNeeded ? <span class="move-number">{(ply - 1) / 2 + 1}…</span> : null;
}
