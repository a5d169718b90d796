// The moves of a game, to step through. The arrows at its foot and on the keyboard do the same.

import { GAME_INFO } from '../api/games';
import { useEffect, useRef } from 'preact/hooks';
import type { GameName } from '../engine/types';
import { Button } from './parts';

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
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    const box = list.current;
    if (box === null) return;
    if (current === null || current === undefined) box.scrollTop = ply === 0 ? 0 : box.scrollHeight;
    else if (
      current.offsetTop < box.scrollTop ||
      current.offsetTop + current.offsetHeight > box.scrollTop + box.clientHeight
    ) {
      box.scrollTop = current.offsetTop - box.clientHeight / 2;
    }
  }, [ply, notation.length]);
  return (
    <div class="moves">
      {notation.length === 0 ? (
        <p class="muted small">No moves yet.</p>
      ) : (
        <ol ref={list} class="move-list" tabIndex={0} aria-label="Moves">
          {notation.map((text, index) => (
            <li key={index}>
              {numberOf(game, firstPly + index, index)}
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
      const next = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: length }[event.key];
      if (next === undefined || next < 0 || next > length) return;
      event.preventDefault();
      onShow(next);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [ply, length, onShow]);
}

function numberOf(game: GameName, ply: number, index: number) {
  if (GAME_INFO[game].moveNumbers === 'each') return <span class="move-number">{index + 1}.</span>;
  if (ply % 2 === 0) return <span class="move-number">{ply / 2 + 1}.</span>;
  return index === 0 ? <span class="move-number">{(ply - 1) / 2 + 1}…</span> : null;
}
