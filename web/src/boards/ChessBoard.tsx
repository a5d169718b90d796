// A chess board: chessground for pointers and pictures, a grid of buttons over it for keyboard and screen readers.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { prefersStillness } from '../app/theme';
import { Button } from '../ui/parts';
import { FILES, inOrder, rowNames, type Arrow, type BoardProps } from './board';
import { CellGrid } from './CellGrid';
import { destinations, movesBetween, piecesOf, PROMOTIONS } from './chessText';

const LINE_BRUSHES = ['green', 'paleBlue', 'paleGreen', 'paleBlue', 'paleGreen'] as const;

export function ChessBoard({ position, lastMove, flipped, onMove, line, arrows = [], label }: BoardProps) {
  const element = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  const [promoting, setPromoting] = useState<string[]>([]);
  const [selected, setSelected] = useState<string | null>(null);
  const pieces = useMemo(() => piecesOf(position.text), [position.text]);
  const dests = useMemo(
    () => destinations(onMove === null ? [] : position.legalMoves),
    [position.legalMoves, onMove === null],
  );

  const tryMove = (from: string, to: string): void => {
    const moves = movesBetween(position.legalMoves, from, to);
    const [only] = moves;
    if (moves.length > 1) setPromoting(moves);
    else if (only !== undefined) onMove?.(only);
  };
  // Chessground keeps the callback of its creation; this hands it the newest.
  const latest = useRef(tryMove);
  latest.current = tryMove;

  // All before the page is drawn: a click must never meet an older position than the words beside the board tell.
  useLayoutEffect(() => {
    if (element.current === null) return;
    api.current = Chessground(element.current, {
      addPieceZIndex: false,
      coordinates: true,
      animation: { enabled: !prefersStillness(), duration: 180 },
      highlight: { lastMove: true, check: true },
      draggable: { showGhost: true },
      premovable: { enabled: false },
      movable: { free: false, showDests: true, events: { after: (from, to) => latest.current(from, to) } },
      drawable: { enabled: false, visible: true },
    });
    return () => api.current?.destroy();
  }, []);

  useLayoutEffect(() => {
    api.current?.set({ fen: position.text });
    setPromoting([]);
  }, [position.text]);

  useLayoutEffect(() => {
    const turn = position.sideToMove === 0 ? 'white' : 'black';
    const state = {
      turnColor: turn,
      check: position.inCheck,
      orientation: flipped ? 'black' : 'white',
      viewOnly: onMove === null,
      movable: { color: turn, dests: dests as Map<Key, Key[]> },
    } as const;
    api.current?.set(lastMove === null ? state : { ...state, lastMove: squaresOf(lastMove) });
    if (lastMove === null && api.current !== null) {
      delete api.current.state.lastMove;
      api.current.redrawAll();
    }
  }, [position, flipped, dests, lastMove]);

  useEffect(
    () => api.current?.setAutoShapes(line.length > 0 ? line.map(lineArrow) : arrows.map(shareArrow)),
    [line, arrows],
  );

  const pick = (cell: string): void => {
    const target = selected === null ? undefined : dests.get(selected)?.includes(cell);
    if (selected !== null && target === true) tryMove(selected, cell);
    const next = target !== true && dests.has(cell) && cell !== selected ? cell : null;
    setSelected(next);
    api.current?.selectSquare(next as Key | null);
  };
  const describe = (cell: string): string => {
    const piece = pieces.get(cell) ?? 'empty';
    const role =
      cell === selected
        ? ', selected'
        : selected !== null && dests.get(selected)?.includes(cell)
          ? ', can move here'
          : '';
    return `${cell}, ${piece}${role}`;
  };
  const cancel = (): void => {
    setPromoting([]);
    api.current?.set({ fen: position.text, lastMove: lastMove === null ? [] : squaresOf(lastMove) });
  };

  return (
    <div class="chess board-square">
      {/* Chessground remembers where it stands; what loads above it may have moved it since. */}
      <div
        ref={element}
        class="cg-wrap"
        aria-hidden="true"
        onPointerDownCapture={() => api.current?.state.dom.bounds.clear()}
      />
      <CellGrid
        class="overlay"
        label={label}
        columns={inOrder(FILES, flipped)}
        rows={rowNames(8, flipped)}
        describe={describe}
        onPick={onMove === null ? null : pick}
        onEscape={() => {
          setSelected(null);
          api.current?.selectSquare(null);
        }}
      />
      {promoting.length > 0 && (
        <div
          class={`promotion ${isAtTop(promoting[0] ?? '', flipped) ? 'at-top' : 'at-bottom'}`}
          role="group"
          aria-label="Promote to"
          style={{ left: `${12.5 * columnOf(promoting[0] ?? '', flipped)}%` }}
        >
          {PROMOTIONS.map(({ letter, name }) => {
            const move = promoting.find((candidate) => candidate.endsWith(letter));
            return (
              move !== undefined && (
                <button
                  key={letter}
                  type="button"
                  aria-label={name}
                  title={name}
                  onClick={() => {
                    setPromoting([]);
                    onMove?.(move);
                  }}
                >
                  <span class="cg-wrap promotion-piece" aria-hidden="true">
                    {h('piece', { class: `${name} ${position.sideToMove === 0 ? 'white' : 'black'}` })}
                  </span>
                </button>
              )
            );
          })}
          <Button kind="quiet" icon="cross" label="Take the move back" onClick={cancel} />
        </div>
      )}
    </div>
  );
}

/** Where the promoting pawn arrives, as the board stands on the screen. */
function columnOf(move: string, flipped: boolean): number {
  const file = FILES.findIndex((name) => name === move.charAt(2));
  return flipped ? 7 - file : file;
}

function isAtTop(move: string, flipped: boolean): boolean {
  return (move.charAt(3) === '8') !== flipped;
}

function squaresOf(move: string): Key[] {
  return [move.slice(0, 2) as Key, move.slice(2, 4) as Key];
}

/** Wider for more visits, with their share in percent; where there are no shares, wider for the better move. */
function shareArrow({ move, share }: Arrow, index: number): DrawShape {
  const [orig, dest] = squaresOf(move);
  const shape: DrawShape = {
    orig: orig!,
    dest: dest!,
    brush: index === 0 ? 'green' : 'paleBlue',
    modifiers: { lineWidth: 4 + 10 * (share ?? 0.8 / (index + 1)) },
  };
  if (share === null) return shape;
  return { ...shape, label: { text: `${Math.round(share * 100)}` } };
}

function lineArrow(move: string, index: number): DrawShape {
  return {
    orig: move.slice(0, 2) as Key,
    dest: move.slice(2, 4) as Key,
    brush: LINE_BRUSHES[index % LINE_BRUSHES.length] ?? 'green',
  };
}
