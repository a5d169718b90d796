// What the Python package decides and the site takes over as data: levels, searches, clocks, networks. The file is
// written by scripts/site_data.py; nothing of it is typed in again here.

import type { GameName, NetworkInfo } from '../engine/types';
import type { GridScales } from './safetensors';

export interface ClockNumbers {
  moveOverheadS: number;
  safeOverheadS: number;
  shortestS: number;
  mostMovesLeft: number;
  fewestMovesLeft: number;
  pliesPerMoveLess: number;
  incrementShare: number;
  doubtFactor: number;
  largestShare: number;
  nodesForOneMove: number;
}

/** What steers the tree, by the names that core/search/parameters.def declares; switches are 0 or 1. */
export interface SearchSettings {
  readonly [parameter: string]: number;
}

/** A network of the site. `file` is null for search without one. */
export interface SiteNetwork extends NetworkInfo {
  file: string | null;
  /** What a network outside the core reads: the core's name for it, and its planes, height and width. */
  planes: { encoder: string; shape: [number, number, number] } | null;
}

export interface PlayData {
  simulationsOfLevel: number[];
  clock: ClockNumbers;
  search: { [game in GameName]: SearchSettings };
  /** Of sparse checkpoints. */
  gridScales: GridScales;
  networks: SiteNetwork[];
}
