// Words for a first game of Santorini: what to do now, and what to look at. Reads the picture and decides nothing.

import { pictureOf, SIZE, type SantoriniPicture } from '../boards/santorini/text';
import type { PositionView, Side } from '../engine/types';

const TOP = 3; // the level that wins

/** What to tell the person who plays `human` in this position; it is the person's turn. */
export function guideFor(position: PositionView, human: Side): string {
  const picture = pictureOf(position.text);
  if (picture.workers.size < 4)
    return 'Place a worker: click a free cell. The middle reaches more cells than the edge; keep your two workers apart, but near enough to help each other.';
  if (climbs(picture, human).length > 0)
    return `You can win now: step up to level three on ${climbs(picture, human).join(' or ')}.`;
  const threats = climbs(picture, human === 0 ? 1 : 0);
  if (threats.length > 0)
    return `Careful: it threatens to step up to level three on ${threats.join(' and ')}. Build a dome there, or stand there first.`;
  const highest = Math.max(...heightsOf(picture, human));
  if (position.moves.length < 8)
    return 'Step with one worker, then build beside where it now stands. Click the worker, the cell to step to, and the cell to build on.';
  if (highest === 0) return 'Height wins games. Build a level one beside your worker, and step up with the next turn.';
  if (highest === 1)
    return 'You are on level one. A level two next to you is your next step: build it where it cannot reach it first.';
  return 'You are on level two. A level three next to you wins: build it where it cannot put a dome on it in time, best two at once.';
}

/** Cells of level three that a worker on level two can step to. */
function climbs(picture: SantoriniPicture, side: Side): string[] {
  const found = [...picture.workers]
    .filter(([cell, owner]) => owner === side && picture.heights.get(cell) === TOP - 1)
    .flatMap(([cell]) => neighbours(cell))
    .filter((cell) => picture.heights.get(cell) === TOP && !picture.workers.has(cell));
  return [...new Set(found)].sort();
}

function heightsOf(picture: SantoriniPicture, side: Side): number[] {
  return [...picture.workers].filter(([, owner]) => owner === side).map(([cell]) => picture.heights.get(cell) ?? 0);
}

function neighbours(cell: string): string[] {
  const column = cell.charCodeAt(0) - 'a'.charCodeAt(0);
  const row = Number(cell.slice(1)) - 1;
  const steps = [-1, 0, 1];
  return steps
    .flatMap((right) => steps.map((up) => [column + right, row + up] as const))
    .filter(([x, y]) => x >= 0 && x < SIZE && y >= 0 && y < SIZE && (x !== column || y !== row))
    .map(([x, y]) => `${'abcde'.charAt(x)}${y + 1}`);
}
