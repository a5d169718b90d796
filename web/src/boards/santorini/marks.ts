// What is pointed out on the board: cells to click, the chosen worker, the last move, the keyboard's cell, a line.

import type * as THREE from 'three';
import { cellsOf } from '../../game/picker';
import { makeArrow, makeDisc, makeFrame, makeGhost, makeRing, placeOf, type Palette } from './pieces';
import type { SantoriniPicture } from './text';

export interface Marks {
  /** Cells to step to, or workers to take. */
  lit: ReadonlySet<string>;
  /** Cells to build on. */
  ghosts: ReadonlySet<string>;
  selected: string | null;
  last: readonly string[];
  cursor: string | null;
  line: readonly string[];
}

const LIFT = 0.015; // above the stone, so that the two do not flicker

export function drawMarks(group: THREE.Group, picture: SantoriniPicture, marks: Marks, palette: Palette): void {
  const add = (object: THREE.Object3D, cell: string, lift = LIFT): void => {
    object.position.copy(placeOf(cell, picture.heights.get(cell) ?? 0));
    object.position.y += lift;
    group.add(object);
  };
  for (const cell of new Set(marks.last)) add(makeFrame(palette.last, halfOf(picture, cell), 0.035), cell);
  for (const cell of marks.lit) {
    if (picture.workers.has(cell)) {
      add(makeRing(palette.lit, 0.27), cell, LIFT * 2);
    } else {
      add(makeDisc(palette.lit, 0.2, 0.55), cell, LIFT * 2);
      add(makeRing(palette.lit, 0.25), cell, LIFT * 2);
    }
  }
  for (const cell of marks.ghosts) add(makeGhost(picture.heights.get(cell) ?? 0, palette.lit), cell);
  if (marks.selected !== null) {
    add(makeDisc(palette.lit, 0.27, 0.5), marks.selected, LIFT * 2);
    add(makeRing(palette.lit, 0.31), marks.selected, LIFT * 3);
  }
  if (marks.cursor !== null)
    add(makeFrame(palette.cursor, halfOf(picture, marks.cursor), 0.05), marks.cursor, LIFT * 3);
  drawLine(group, picture, marks.line, palette);
}

/** Only the first move of a line: later ones stand on buildings that are not there yet. */
function drawLine(group: THREE.Group, picture: SantoriniPicture, line: readonly string[], palette: Palette): void {
  const [from, to, block] = cellsOf(line[0] ?? '');
  if (from === undefined) return;
  const place = (cell: string): THREE.Vector3 => placeOf(cell, picture.heights.get(cell) ?? 0);
  if (to === undefined) {
    const ring = makeRing(palette.last, 0.3);
    ring.position.copy(place(from)).y += LIFT * 3;
    group.add(ring);
    return;
  }
  const start = place(from);
  start.y += 0.3;
  group.add(makeArrow(start, place(to), palette.last));
  if (block === undefined) return;
  const ghost = makeGhost(picture.heights.get(block) ?? 0, palette.last);
  ghost.position.copy(place(block)).y += LIFT;
  group.add(ghost);
}

/** Frames fit on whatever stands in the cell. */
function halfOf(picture: SantoriniPicture, cell: string): number {
  return [0.46, 0.43, 0.35, 0.27, 0.27][picture.heights.get(cell) ?? 0] ?? 0.46;
}
