// What the Python package decides and the site takes over as data: levels, searches, clocks, networks. The file is
// written by scripts/site_data.py; nothing of it is typed in again here.

import type { Algorithm, GameName, NetworkInfo } from '../engine/types';
import type { GridScales } from './safetensors';

export interface ClockNumbers {
  moveOverheadS: number;
  safeOverheadS: number;
  shortestS: number;
  mostMovesLeft: number;
  fewestMovesLeft: number;
  pliesPerMoveLess: number;
  reserveMoves: number;
  unpaidReserveMoves: number;
  incrementShare: number;
  doubtFactor: number;
  largestShare: number;
  nodesForOneMove: number;
}

/** What steers the tree, by the names that core/search/parameters.def declares; switches are 0 or 1. */
export interface SearchSettings {
  readonly [parameter: string]: number;
}

/** How a level chooses among the moves it found. */
export interface Sampling {
  /** 0 takes the best. */
  temperature: number;
  /** A move is plausible if its weight is at least this share of the best one's. */
  plausibleShare: number;
}

/** Of the weights that moves are chosen by (src/milton/play/sampling.py). */
export interface SamplingNumbers {
  visitOffset: number;
  valueScale: number;
  smallestPrior: number;
}

/** What a level is called, how strong it is and what it allows; null is no limit, or not measured. */
export interface SiteLevel {
  name: string;
  elo: number | null;
  /** Half of the 95 % interval. */
  margin: number | null;
  simulations: number | null;
  moveTimeS: number | null;
  /** Forget what earlier searches of the game found. */
  fresh: boolean;
  sampling: Sampling | null;
}

/** Which search answers a question, by its kind of limit; levels from the lowest to the highest. */
export interface Algorithms {
  levels: Algorithm[];
  simulations: Algorithm;
  moveTime: Algorithm;
  clock: Algorithm;
  infinite: Algorithm;
}

/** A network of the site. `file` is null for search without one. */
export interface SiteNetwork extends NetworkInfo {
  file: string | null;
  /** Of the file; 0 without one. */
  bytes: number;
  /** What a network outside the core reads: the core's name for it, and its planes, height and width. */
  planes: { encoder: string; shape: [number, number, number] } | null;
  algorithms: Algorithms;
}

export interface PlayData {
  /** Lines of an analysis by alpha-beta. */
  numAlphaBetaLines: number;
  levels: { [game in GameName]: SiteLevel[] };
  sampling: SamplingNumbers;
  clock: ClockNumbers;
  search: { [game in GameName]: SearchSettings };
  /** Of sparse checkpoints. */
  gridScales: GridScales;
  networks: SiteNetwork[];
}
