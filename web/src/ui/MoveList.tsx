// The moves of a game, to step through. The arrows at its foot and on the keyboard do the same.

import { useEffect, useRef } from 'preact/hooks';
import type { GameName } from '../engine/types';
import { usePageKeys } from './hooks';
import { Button } from './parts';
import { moveNumber } from './words';

interface Props {
  game: GameName;
  notation: readonly string[];
  /** How many moves have been made in what the board shows. */
  ply: number;
  onShow: (ply: number) => void;
  /** Ply of the position that the list begins with: Black may have moved first. */
  firstPly?: number;
}

export function MoveList({ game, notation, ply, onShow, firstPly = 0 }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    if (box !== null && !keepInView(box)) box.scrollTop = ply === 0 ? 0 : box.scrollHeight;
  }, [ply, notation.length]);
  return (
    <div class="moves">
      {notation.length === 0 ? (
        <p class="muted small">No moves yet.</p>
      ) : (
        <ol ref={list} class="move-list" tabIndex={0} aria-label="Moves">
          {notation.map((text, index) => (
            <li key={index}>
              <MoveNumber text={moveNumber(game, firstPly + index, index === 0)} />
              <button
                type="button"
                tabIndex={-1}
                onClick={() => onShow(index + 1)}
                aria-current={ply === index + 1 ? 'step' : undefined}
              >
                {text}
              </button>
            </li>
          ))}
        </ol>
      )}
      <Stepper ply={ply} length={notation.length} onShow={onShow} />
    </div>
  );
}

export function Stepper({ ply, length, onShow }: { ply: number; length: number; onShow: (ply: number) => void }) {
  return (
    <div class="stepper" role="group" aria-label="Step through the moves">
      <Button icon="first" label="First position" disabled={ply === 0} onClick={() => onShow(0)} />
      <Button icon="previous" label="One move back" disabled={ply === 0} onClick={() => onShow(ply - 1)} />
      <span class="number small muted" aria-live="off">
        {ply} / {length}
      </span>
      <Button icon="next" label="One move on" disabled={ply === length} onClick={() => onShow(ply + 1)} />
      <Button icon="last" label="Last position" disabled={ply === length} onClick={() => onShow(length)} />
    </div>
  );
}

/** Arrow keys step through moves, unless something that needs them has the focus. */
export function useStepKeys(ply: number, length: number, onShow: (ply: number) => void): void {
  usePageKeys(
    (key) => {
      const next = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: length }[key];
      return next === undefined || next < 0 || next > length ? null : () => onShow(next);
    },
    [ply, length, onShow],
  );
}

export function MoveNumber({ text }: { text: string }) {
  return text === '' ? null : <span class="move-number">{text}</span>;
}

/** Scrolls a list of moves to the current one; false: none is. */
export function keepInView(box: HTMLElement): boolean {
  const current = box.querySelector<HTMLElement>('[aria-current]');
  if (current === null) return false;
  const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top - box.clientHeight / 2;
  return true;
}
