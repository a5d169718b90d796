// What the Python package decides and the site takes over as data: levels, time management, networks. The file is
// written by scripts/site_data.py; nothing of it is typed in again here.

import type { NetworkInfo } from '../engine/types';
import type { GridScales } from './safetensors';

export interface ClockNumbers {
  moveOverheadS: number;
  shortestS: number;
  mostMovesLeft: number;
  fewestMovesLeft: number;
  pliesPerMoveLess: number;
  incrementShare: number;
  doubtFactor: number;
  largestShare: number;
  nodesForOneMove: number;
}

/** A network of the site. `file` is null for search without one. */
export interface SiteNetwork extends NetworkInfo {
  file: string | null;
  /** What a network outside the core reads: the core's name for it, and its planes, height and width. */
  planes: { encoder: string; shape: [number, number, number] } | null;
}

export interface PlayData {
  nodesOfLevel: number[];
  clock: ClockNumbers;
  /** Of sparse checkpoints. */
  gridScales: GridScales;
  networks: SiteNetwork[];
}
