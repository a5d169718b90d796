// Santorini: the three-dimensional board, or the flat one where a person prefers it or the browser cannot draw it.
// Both choose a move the same way, and the keyboard uses the same grid of cells on either.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { onThemeChange, prefersStillness } from '../app/theme';
import { readStored, writeStored } from '../app/storage';
import { cellsOf, litCells, NO_CHOICE, openCells, pick, type Choice } from '../game/picker';
import { Button, Notice } from '../ui/parts';
import { inOrder, rowNames, type BoardProps } from './board';
import { CellGrid } from './CellGrid';
import { FlatCell } from './santorini/FlatCell';
import type { Marks } from './santorini/marks';
import { DARK_PALETTE, LIGHT_PALETTE, type Palette } from './santorini/pieces';
import { SantoriniScene } from './santorini/scene';
import { describeCell, pictureOf, withStep } from './santorini/text';

interface Props extends BoardProps {
  /** Small boards that only show games are always flat. */
  alwaysFlat?: boolean;
}

const QUARTER = Math.PI / 4;
const COLUMNS = ['a', 'b', 'c', 'd', 'e'];

export function SantoriniBoard({
  position,
  lastMove,
  flipped,
  onMove,
  line,
  arrows = [],
  label,
  alwaysFlat = false,
}: Props) {
  const [choice, setChoice] = useState<Choice>(NO_CHOICE);
  const [cursor, setCursor] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [isFlat, setFlat] = useState(() => readStored('santorini.flat', isBoolean) ?? false);
  const [cannotDraw, setCannotDraw] = useState(false);
  const flat = alwaysFlat || isFlat || cannotDraw;
  const legal = onMove === null ? [] : position.legalMoves;
  const picture = useMemo(() => withStep(pictureOf(position.text), choice.from, choice.to), [position.text, choice]);

  useEffect(() => setChoice(NO_CHOICE), [position.text, onMove === null]);

  const choose = (cell: string): void => {
    const picked = pick(legal, choice, cell);
    if (picked?.kind === 'choice') setChoice(picked.choice);
    if (picked?.kind === 'move') onMove?.(picked.move);
  };
  const marks = marksOf(
    legal,
    choice,
    lastMove,
    cursor,
    hovered,
    line.length > 0 ? line : arrows.slice(0, 1).map(({ move }) => move),
  );
  const describe = (cell: string): string => describeCell(picture, cell) + roleOf(cell, marks);
  /** The nearest cell that means something: what cannot be picked does not hide what can. */
  const nearestOpen = (cells: readonly string[]): string | null => {
    const open = openCells(legal, choice);
    return cells.find((cell) => open.has(cell)) ?? null;
  };
  const chooseNearest = (cells: readonly string[]): void => {
    const cell = nearestOpen(cells);
    if (cell !== null) choose(cell);
  };
  const storeFlat = (value: boolean): void => {
    setFlat(value);
    writeStored('santorini.flat', value);
  };
  const grid = {
    label,
    columns: inOrder(COLUMNS, flipped),
    rows: rowNames(5, flipped),
    describe,
    onPick: onMove === null ? null : choose,
    onEscape: () => setChoice(NO_CHOICE),
    onFocus: setCursor,
  };
  return (
    <div class={`santorini board-square ${flat ? 'is-flat' : ''}`}>
      {flat ? (
        <CellGrid
          {...grid}
          class="flat"
          content={(cell) => (
            <>
              <FlatCell picture={picture} cell={cell} />
              <span class="cell-name" aria-hidden="true">
                {cell}
              </span>
            </>
          )}
          classOf={(cell) => classOf(cell, marks)}
        />
      ) : (
        <Solid
          marks={marks}
          picture={picture}
          flipped={flipped}
          grid={grid}
          onPick={chooseNearest}
          onHover={(cells) => setHovered(nearestOpen(cells))}
          onFailure={() => setCannotDraw(true)}
        />
      )}
      {!alwaysFlat && onMove !== null && (
        <p class="board-hint" role="status">
          {hintFor(legal, choice)}
        </p>
      )}
      {!alwaysFlat && !cannotDraw && (
        <div class="board-tools">
          <Button
            icon={flat ? 'cube' : 'grid'}
            label={flat ? 'Show in 3-D' : 'Show flat'}
            onClick={() => storeFlat(!flat)}
          />
        </div>
      )}
      {cannotDraw && !alwaysFlat && <Notice>This browser draws no 3-D pictures (WebGL), so the board is flat.</Notice>}
    </div>
  );
}

interface SolidProps {
  marks: Marks;
  picture: ReturnType<typeof pictureOf>;
  flipped: boolean;
  grid: Parameters<typeof CellGrid>[0];
  onPick: (cells: readonly string[]) => void;
  onHover: (cells: readonly string[]) => void;
  onFailure: () => void;
}

function Solid({ marks, picture, flipped, grid, onPick, onHover, onFailure }: SolidProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const scene = useRef<SantoriniScene | null>(null);
  const [paints, setPaints] = useState(0);
  const latest = useRef({ onPick, onHover });
  latest.current = { onPick, onHover };

  useEffect(() => {
    if (canvas.current === null) return;
    try {
      scene.current = new SantoriniScene(canvas.current, currentPalette(), prefersStillness(), {
        picked: (cells) => latest.current.onPick(cells),
        hovered: (cells) => latest.current.onHover(cells),
        moved: (places) => placeCells(frame.current, places),
      });
    } catch {
      onFailure();
      return;
    }
    const forget = onThemeChange(() => {
      scene.current?.paint(currentPalette());
      setPaints((count) => count + 1);
    });
    return () => {
      forget();
      scene.current?.dispose();
      scene.current = null;
    };
  }, []);
  useEffect(() => scene.current?.face(flipped ? 1 : 0), [flipped]);
  useEffect(() => scene.current?.show(picture, marks), [picture, markKey(marks), paints]);

  return (
    <div ref={frame} class="solid">
      <canvas ref={canvas} aria-hidden="true" />
      <CellGrid {...grid} class="scattered" />
      <div class="board-tools left">
        <Button icon="left" label="Turn the board left" onClick={() => scene.current?.turn(-QUARTER)} />
        <Button icon="right" label="Turn the board right" onClick={() => scene.current?.turn(QUARTER)} />
        <Button icon="plus" label="Zoom in" onClick={() => scene.current?.zoom(0.85)} />
        <Button icon="minus" label="Zoom out" onClick={() => scene.current?.zoom(1 / 0.85)} />
      </div>
    </div>
  );
}

/** Puts the buttons of the grid where the camera sees their cells. */
function placeCells(frame: HTMLElement | null, places: Map<string, readonly [number, number]>): void {
  for (const button of frame?.querySelectorAll<HTMLElement>('[data-cell]') ?? []) {
    const place = places.get(button.dataset['cell'] ?? '');
    if (place === undefined) continue;
    button.style.left = `${(place[0] * 100).toFixed(2)}%`;
    button.style.top = `${(place[1] * 100).toFixed(2)}%`;
  }
}

function marksOf(
  legal: readonly string[],
  choice: Choice,
  lastMove: string | null,
  cursor: string | null,
  hovered: string | null,
  line: readonly string[],
): Marks {
  const lit = litCells(legal, choice);
  const isBuilding = choice.from !== null && choice.to !== null;
  const canHover = hovered !== null && openCells(legal, choice).has(hovered);
  return {
    lit: isBuilding ? new Set() : lit,
    ghosts: isBuilding ? lit : new Set(),
    selected: choice.to ?? choice.from,
    last: lastMove === null ? [] : cellsOf(lastMove),
    cursor: cursor ?? (canHover ? hovered : null),
    line,
  };
}

function markKey(marks: Marks): string {
  return JSON.stringify([[...marks.lit], [...marks.ghosts], marks.selected, marks.last, marks.cursor, marks.line]);
}

function classOf(cell: string, marks: Marks): string {
  const lineCells = cellsOf(marks.line[0] ?? '');
  return [
    marks.lit.has(cell) ? 'lit' : '',
    marks.ghosts.has(cell) ? 'buildable' : '',
    marks.selected === cell ? 'selected' : '',
    marks.last.includes(cell) ? 'last' : '',
    lineCells.includes(cell) ? 'pointed' : '',
  ].join(' ');
}

function roleOf(cell: string, marks: Marks): string {
  if (marks.ghosts.has(cell)) return ', can build here';
  if (marks.selected === cell) return ', selected';
  return marks.lit.has(cell) ? ', can be chosen' : '';
}

function hintFor(legal: readonly string[], choice: Choice): string {
  if (legal.every((move) => cellsOf(move).length === 1)) return 'Place a worker.';
  if (choice.from !== null && choice.to !== null) return 'Now build: choose a cell next to your worker.';
  if (choice.to !== null) return 'Both workers can step there. Which one?';
  return choice.from === null ? 'Choose a worker, or a cell to step to.' : 'Choose where it steps.';
}

function currentPalette(): Palette {
  return document.documentElement.dataset['theme'] === 'dark' ? DARK_PALETTE : LIGHT_PALETTE;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
