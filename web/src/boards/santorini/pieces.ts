// Shapes of the Santorini board: tiles, storeys, domes, workers, marks. Sizes are in cells. Knows no positions.

import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { GAME_INFO } from '../../api/games';
import type { Side } from '../../engine/types';
import { SIZE } from './text';

export interface Palette {
  stone: string;
  tile: string;
  tileAlternate: string;
  wall: string;
  trim: string;
  dome: string;
  workers: readonly [string, string];
  lit: string;
  last: string;
  cursor: string;
  label: string;
}

export const LIGHT_PALETTE: Palette = {
  stone: '#cfc4aa',
  tile: '#e9dfc8',
  tileAlternate: '#dfd3b8',
  wall: '#fbf8f0',
  trim: '#d9e3ea',
  dome: '#2f6fae',
  workers: GAME_INFO.santorini.colours,
  lit: '#1f8a6d',
  last: '#d6a72c',
  cursor: '#211f1a',
  label: '#6b6553',
};

export const DARK_PALETTE: Palette = {
  stone: '#4a4c44',
  tile: '#6a6b60',
  tileAlternate: '#5f6157',
  wall: '#e9e4d8',
  trim: '#b9c8d2',
  dome: '#4b8fd0',
  workers: ['#e07a4f', '#7f95d8'],
  lit: '#6fe0bd',
  last: '#e8bf55',
  cursor: '#fffaf0',
  label: '#b9b8ab',
};

const STOREYS = [
  { width: 0.88, height: 0.3 },
  { width: 0.72, height: 0.3 },
  { width: 0.56, height: 0.28 },
] as const;
const DOME_RADIUS = 0.25;

/** Where something stands that is put on top of so many storeys. */
export function topOf(height: number): number {
  return STOREYS.slice(0, height).reduce((sum, storey) => sum + storey.height, 0);
}

export function placeOf(cell: string, height: number): THREE.Vector3 {
  const column = cell.charCodeAt(0) - 97;
  const row = Number(cell.charAt(1)) - 1;
  return new THREE.Vector3(column - (SIZE - 1) / 2, topOf(Math.min(height, 3)), (SIZE - 1) / 2 - row);
}

/** Storeys 0 to 2; what comes on top of them is a dome. */
export function makeStorey(index: number, palette: Palette): THREE.Object3D {
  const storey = STOREYS[index];
  if (storey === undefined) return makeDome(palette);
  const { width, height } = storey;
  const group = new THREE.Group();
  const wall = new THREE.Mesh(new RoundedBoxGeometry(width, height, width, 2, 0.03), matte(palette.wall));
  wall.position.y = height / 2;
  const trim = new THREE.Mesh(new RoundedBoxGeometry(width + 0.03, 0.05, width + 0.03, 1, 0.02), matte(palette.trim));
  trim.position.y = height - 0.032; // below the roof: two faces at one height would flicker
  group.add(wall, trim, ...makeOpenings(width, height, index));
  return withShadows(group);
}

/** A small dark window on each wall: storeys stay countable from any side. */
function makeOpenings(width: number, height: number, index: number): THREE.Object3D[] {
  const shape = new THREE.BoxGeometry(0.09, index === 0 ? 0.16 : 0.11, 0.012);
  const offsets = index === 0 ? [-0.22, 0, 0.22] : index === 1 ? [-0.14, 0.14] : [0];
  return [0, 1, 2, 3].flatMap((turn) =>
    offsets.map((offset) => {
      const opening = new THREE.Mesh(shape, matte('#56707f'));
      const holder = new THREE.Group();
      opening.position.set(offset, height * 0.45, width / 2);
      holder.add(opening);
      holder.rotation.y = (turn * Math.PI) / 2;
      return holder;
    }),
  );
}

function makeDome(palette: Palette): THREE.Object3D {
  const dome = new THREE.Mesh(
    new THREE.SphereGeometry(DOME_RADIUS, 28, 14, 0, Math.PI * 2, 0, Math.PI / 2),
    new THREE.MeshStandardMaterial({ color: palette.dome, roughness: 0.4 }),
  );
  const finial = new THREE.Mesh(new THREE.SphereGeometry(0.035, 12, 8), matte(palette.wall));
  finial.position.y = DOME_RADIUS + 0.02;
  return withShadows(new THREE.Group().add(dome, finial));
}

/** The first player's workers have round heads, the second's pointed hats: colour alone says nothing to some. */
export function makeWorker(side: Side, palette: Palette): THREE.Object3D {
  const profile = [
    [0, 0],
    [0.19, 0],
    [0.19, 0.05],
    [0.12, 0.1],
    [0.085, 0.26],
    [0.075, 0.33],
    [0, 0.33],
  ] as const;
  const material = new THREE.MeshStandardMaterial({ color: palette.workers[side], roughness: 0.55 });
  const body = new THREE.Mesh(
    new THREE.LatheGeometry(
      profile.map(([x, y]) => new THREE.Vector2(x, y)),
      28,
    ),
    material,
  );
  const head =
    side === 0
      ? new THREE.Mesh(new THREE.SphereGeometry(0.125, 24, 16), material)
      : new THREE.Mesh(new THREE.ConeGeometry(0.16, 0.26, 24), material);
  head.position.y = side === 0 ? 0.42 : 0.44;
  return withShadows(new THREE.Group().add(body, head));
}

export function makeTile(palette: Palette, isAlternate: boolean): THREE.Mesh {
  const colour = isAlternate ? palette.tileAlternate : palette.tile;
  const tile = new THREE.Mesh(new RoundedBoxGeometry(0.97, 0.12, 0.97, 1, 0.025), matte(colour));
  tile.position.y = -0.06;
  tile.receiveShadow = true;
  return tile;
}

export function makePlinth(palette: Palette): THREE.Object3D {
  const plinth = new THREE.Mesh(new RoundedBoxGeometry(6, 0.3, 6, 3, 0.12), matte(palette.stone));
  plinth.position.y = -0.2;
  plinth.receiveShadow = true;
  return plinth;
}

export function makeRing(colour: string, radius: number): THREE.Mesh {
  const ring = new THREE.Mesh(new THREE.RingGeometry(radius - 0.05, radius, 40), glow(colour, 0.95));
  ring.rotation.x = -Math.PI / 2;
  return ring;
}

export function makeDisc(colour: string, radius: number, opacity: number): THREE.Mesh {
  const disc = new THREE.Mesh(new THREE.CircleGeometry(radius, 40), glow(colour, opacity));
  disc.rotation.x = -Math.PI / 2;
  return disc;
}

/** A square frame lying on a cell. */
export function makeFrame(colour: string, half: number, thickness: number): THREE.Mesh {
  const frame = new THREE.Mesh(
    new THREE.RingGeometry((half - thickness) * Math.SQRT2, half * Math.SQRT2, 4, 1, Math.PI / 4),
    glow(colour, 0.95),
  );
  frame.rotation.x = -Math.PI / 2;
  return frame;
}

/** The storey that a click would build, seen through. */
export function makeGhost(height: number, colour: string): THREE.Object3D {
  const storey = STOREYS[height];
  const shape =
    storey === undefined
      ? new THREE.SphereGeometry(DOME_RADIUS, 20, 10, 0, Math.PI * 2, 0, Math.PI / 2)
      : new THREE.BoxGeometry(storey.width, storey.height, storey.width).translate(0, storey.height / 2, 0);
  const ghost = new THREE.Mesh(shape, glow(colour, 0.28));
  const edges = new THREE.LineSegments(
    new THREE.EdgesGeometry(shape, 30),
    new THREE.LineBasicMaterial({ color: colour }),
  );
  return new THREE.Group().add(ghost, edges);
}

export function makeArrow(from: THREE.Vector3, to: THREE.Vector3, colour: string): THREE.Object3D {
  const middle = from
    .clone()
    .lerp(to, 0.5)
    .setY(Math.max(from.y, to.y) + 0.45);
  const curve = new THREE.QuadraticBezierCurve3(from, middle, to);
  const tube = new THREE.Mesh(new THREE.TubeGeometry(curve, 20, 0.03, 8), glow(colour, 0.9));
  const tip = new THREE.Mesh(new THREE.ConeGeometry(0.09, 0.2, 16), glow(colour, 0.95));
  tip.position.copy(to);
  tip.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), curve.getTangent(1));
  return new THREE.Group().add(tube, tip);
}

export function makeLabel(text: string, colour: string): THREE.Mesh {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d');
  if (pen !== null) {
    pen.fillStyle = colour;
    pen.font = '600 40px Inter, sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(text, 32, 34);
  }
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace; // or the colour comes out paler than it is written
  const material = new THREE.MeshBasicMaterial({
    map,
    transparent: true,
    depthWrite: false,
  });
  const label = new THREE.Mesh(new THREE.PlaneGeometry(0.42, 0.42), material);
  label.rotation.x = -Math.PI / 2;
  return label;
}

function matte(colour: string): THREE.MeshStandardMaterial {
  return new THREE.MeshStandardMaterial({ color: colour, roughness: 0.92 });
}

function glow(colour: string, opacity: number): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    color: colour,
    transparent: true,
    opacity,
    depthWrite: false,
    side: THREE.DoubleSide,
  });
}

function withShadows(object: THREE.Object3D): THREE.Object3D {
  object.traverse((part) => {
    part.castShadow = true;
    part.receiveShadow = true;
  });
  return object;
}
