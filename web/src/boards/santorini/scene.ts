// The Santorini board in three dimensions. Draws a picture and marks, and says which cell was clicked. Draws only
// when something changed: a page that nobody touches costs nothing.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Side } from '../../engine/types';
import { makeLabel, makePlinth, makeStorey, makeTile, makeWorker, placeOf, type Palette } from './pieces';
import { drawMarks, type Marks } from './marks';
import { CELLS, SIZE, type SantoriniPicture } from './text';

export interface SceneEvents {
  /** Every cell under the pointer, the nearest first: buildings hide what is behind them. */
  picked(cells: string[]): void;
  hovered(cells: string[]): void;
  /** Where each cell is on the canvas now, in shares of its width and height. */
  moved(places: Map<string, readonly [number, number]>): void;
}

const START = new THREE.Vector3(0, 8.3, 7.5);
const CLICK_SLACK_PX = 7; // a finger never holds quite still
const MOVE_MS = 260;

interface Worker {
  side: Side;
  cell: string;
  object: THREE.Object3D;
}

export class SantoriniScene {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(36, 1, 0.1, 60);
  private readonly controls: OrbitControls;
  private readonly ground = new THREE.Group();
  private readonly buildings = new THREE.Group();
  private readonly people = new THREE.Group();
  private readonly marks = new THREE.Group();
  private readonly resizer: ResizeObserver;
  private storeys = new Map<string, THREE.Object3D[]>();
  private workers: Worker[] = [];
  private picture: SantoriniPicture | null = null;
  private animations: { step(now: number): boolean }[] = [];
  private frame: number | null = null;
  private pressed: { x: number; y: number } | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private palette: Palette,
    private readonly isStill: boolean,
    private readonly events: SceneEvents,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene.add(this.ground, this.buildings, this.people, this.marks, ...makeLights());
    this.camera.position.copy(START);
    this.controls = makeControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.invalidate());
    canvas.addEventListener('pointerdown', this.onDown);
    canvas.addEventListener('pointerup', this.onUp);
    canvas.addEventListener('pointermove', this.onMove);
    canvas.addEventListener('pointerleave', () => this.events.hovered([]));
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(canvas);
    this.layGround();
    this.resize();
  }

  show(picture: SantoriniPicture, marks: Marks): void {
    this.build(picture);
    this.moveWorkers(picture);
    this.picture = picture;
    this.clear(this.marks);
    drawMarks(this.marks, picture, marks, this.palette);
    this.invalidate();
  }

  /** Other colours. Everything is made anew, so `show` must follow. */
  paint(palette: Palette): void {
    this.palette = palette;
    for (const group of [this.ground, this.buildings, this.people, this.marks]) this.clear(group);
    this.storeys.clear();
    this.workers = [];
    this.picture = null;
    this.layGround();
  }

  turn(angle: number): void {
    this.camera.position.applyAxisAngle(new THREE.Vector3(0, 1, 0), angle);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor: number): void {
    const away = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    away.clampLength(this.controls.minDistance, this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
    this.invalidate();
  }

  /** Looks from one player's side again. */
  face(side: Side): void {
    this.camera.position.copy(START);
    if (side === 1) this.camera.position.z *= -1;
    this.controls.update();
    this.invalidate();
  }

  dispose(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.resizer.disconnect();
    this.controls.dispose();
    for (const group of [this.ground, this.buildings, this.people, this.marks]) this.clear(group);
    this.renderer.dispose();
  }

  private layGround(): void {
    this.ground.add(makePlinth(this.palette));
    CELLS.forEach((cell, index) => {
      const tile = makeTile(this.palette, index % 2 === 0);
      const place = placeOf(cell, 0);
      tile.position.x = place.x;
      tile.position.z = place.z;
      tile.userData['cell'] = cell;
      this.ground.add(tile);
    });
    for (let index = 0; index < SIZE; index += 1) {
      const along = index - (SIZE - 1) / 2;
      this.addLabel('abcde'.charAt(index), along, SIZE / 2 + 0.24);
      this.addLabel(String(SIZE - index), -SIZE / 2 - 0.24, along);
    }
  }

  private addLabel(text: string, x: number, z: number): void {
    const label = makeLabel(text, this.palette.label);
    label.position.set(x, -0.045, z);
    this.ground.add(label);
  }

  private build(picture: SantoriniPicture): void {
    const isFirst = this.picture === null;
    for (const cell of CELLS) {
      const wanted = picture.heights.get(cell) ?? 0;
      const standing = this.storeys.get(cell) ?? [];
      while (standing.length > wanted) {
        const gone = standing.pop();
        if (gone !== undefined) this.buildings.remove(gone);
      }
      while (standing.length < wanted) {
        const index = standing.length;
        const storey = makeStorey(index, this.palette);
        storey.position.copy(placeOf(cell, index));
        storey.userData['cell'] = cell;
        this.buildings.add(storey);
        standing.push(storey);
        if (!isFirst) this.drop(storey);
      }
      this.storeys.set(cell, standing);
    }
  }

  private drop(object: THREE.Object3D): void {
    const end = object.position.y;
    this.animate((share) => {
      object.position.y = end + (1 - share) * 0.9;
      object.scale.setScalar(0.7 + 0.3 * share);
    });
  }

  /** Workers that stay are left alone; one that is missing walks to where a new one is wanted. */
  private moveWorkers(picture: SantoriniPicture): void {
    const wanted = [...picture.workers].filter(
      ([cell, side]) => !this.workers.some((worker) => worker.cell === cell && worker.side === side),
    );
    const idle = this.workers.filter((worker) => picture.workers.get(worker.cell) !== worker.side);
    for (const [cell, side] of wanted) {
      const index = idle.findIndex((worker) => worker.side === side);
      const [walker] = index < 0 ? [] : idle.splice(index, 1);
      if (walker === undefined) this.addWorker(side, cell, picture);
      else this.walk(walker, cell, picture);
    }
    for (const gone of idle) this.people.remove(gone.object);
    this.workers = this.workers.filter((worker) => !idle.includes(worker));
    for (const worker of this.workers) worker.object.userData['cell'] = worker.cell;
  }

  private addWorker(side: Side, cell: string, picture: SantoriniPicture): void {
    const object = makeWorker(side, this.palette);
    object.position.copy(placeOf(cell, picture.heights.get(cell) ?? 0));
    this.people.add(object);
    this.workers.push({ side, cell, object });
    if (this.picture !== null) this.drop(object);
  }

  private walk(worker: Worker, cell: string, picture: SantoriniPicture): void {
    const from = worker.object.position.clone();
    const to = placeOf(cell, picture.heights.get(cell) ?? 0);
    worker.cell = cell;
    this.animate((share) => {
      worker.object.position.lerpVectors(from, to, share);
      worker.object.position.y += Math.sin(share * Math.PI) * 0.35;
    });
  }

  private animate(apply: (share: number) => void): void {
    if (this.isStill) {
      apply(1);
      return;
    }
    const start = performance.now();
    apply(0);
    this.animations.push({
      step: (now) => {
        const time = Math.min(1, (now - start) / MOVE_MS);
        apply(1 - (1 - time) ** 3);
        return time < 1;
      },
    });
  }

  private invalidate(): void {
    this.frame ??= requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    this.frame = null;
    this.animations = this.animations.filter((animation) => animation.step(now));
    const isMoving = this.controls.update();
    this.renderer.render(this.scene, this.camera);
    this.events.moved(this.project());
    if (isMoving || this.animations.length > 0) this.invalidate();
  }

  private project(): Map<string, readonly [number, number]> {
    const places = new Map<string, readonly [number, number]>();
    for (const cell of CELLS) {
      const point = placeOf(cell, this.picture?.heights.get(cell) ?? 0).project(this.camera);
      places.set(cell, [(point.x + 1) / 2, (1 - point.y) / 2]);
    }
    return places;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  private cellsAt(event: PointerEvent): string[] {
    const box = this.canvas.getBoundingClientRect();
    const point = new THREE.Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(point, this.camera);
    const hits = ray.intersectObjects([this.ground, this.buildings, this.people], true);
    return [...new Set(hits.flatMap((hit) => ownerOf(hit.object) ?? []))];
  }

  private readonly onDown = (event: PointerEvent): void => {
    this.pressed = { x: event.clientX, y: event.clientY };
  };

  private readonly onUp = (event: PointerEvent): void => {
    const { pressed } = this;
    this.pressed = null;
    if (pressed === null || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK_SLACK_PX) return;
    this.events.picked(this.cellsAt(event));
  };

  private readonly onMove = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && event.buttons === 0) this.events.hovered(this.cellsAt(event));
  };

  private clear(group: THREE.Group): void {
    group.traverse((part) => {
      if (part instanceof THREE.Mesh || part instanceof THREE.LineSegments) {
        part.geometry.dispose();
        for (const material of [part.material].flat() as THREE.Material[]) material.dispose();
      }
    });
    group.clear();
  }
}

/** The cell that something stands on. */
function ownerOf(part: THREE.Object3D): string | null {
  for (let object: THREE.Object3D | null = part; object !== null; object = object.parent) {
    const cell: unknown = object.userData['cell'];
    if (typeof cell === 'string') return cell;
  }
  return null;
}

function makeControls(camera: THREE.PerspectiveCamera, canvas: HTMLCanvasElement): OrbitControls {
  const controls = new OrbitControls(camera, canvas);
  controls.target.set(0, 0, 0.15);
  controls.enablePan = false;
  controls.enableDamping = true;
  controls.dampingFactor = 0.15;
  controls.minDistance = 5.5;
  controls.maxDistance = 17;
  controls.maxPolarAngle = Math.PI * 0.46;
  return controls;
}

function makeLights(): THREE.Object3D[] {
  const sky = new THREE.HemisphereLight('#ffffff', '#8f8a78', 1.7);
  const sun = new THREE.DirectionalLight('#fff3dc', 2.1);
  sun.position.set(-3.5, 7, 3);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.radius = 3;
  sun.shadow.normalBias = 0.02;
  Object.assign(sun.shadow.camera, { left: -4.5, right: 4.5, top: 4.5, bottom: -4.5, near: 1, far: 16 });
  return [sky, sun];
}
