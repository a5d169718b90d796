// What the core reports of a search, and what the page makes of it. Scores follow src/milton/play/score.py.

import type { Algorithm, Candidate, SearchProgress } from '../engine/types';
import type { CoreInstance, Pointer } from './instance';
import { wdlOf, type Proof, type Wdl } from './score';

/** Candidates that come with their variations. */
const NUM_LINES = 8;

interface CoreMove {
  move: string;
  notation: string;
  visits: number;
  prior: number;
  value: number;
  draw: number;
  proof: Proof;
  /** To a proven end, from the root. */
  proofPlies: number;
  pv: string[];
}

/** Written by core/wasm/report.h. */
interface CoreReport {
  /** Of the tree; positions visited by alpha-beta. */
  simulations: number;
  /** Mean plies to the leaves; alpha-beta: the last whole iteration. */
  depth: number;
  value: number;
  draw: number;
  moves: CoreMove[];
}

/** How far the search in `engine` has got; `started` is when it began, by performance.now(). */
export function readReport(
  instance: CoreInstance,
  engine: Pointer,
  algorithm: Algorithm,
  started: number,
): SearchProgress {
  const report = instance.callForJson<CoreReport>('milton_report', engine, NUM_LINES);
  const found = report.moves.map((move) => ({ move, wdl: wdlOfMove(move, report) }));
  const wdl = found[0]?.wdl ?? [0, 1, 0];
  return {
    algorithm,
    simulations: report.simulations,
    depth: report.depth,
    elapsedMs: Math.round(performance.now() - started),
    wdl,
    value: valueOf(wdl),
    candidates: found.map(({ move, wdl: own }) => candidateOf(move, own)),
    done: false,
  };
}

/** A move without visits borrows the root's value. */
function wdlOfMove(move: CoreMove, report: CoreReport): Wdl {
  const { value, draw } = move.visits > 0 ? move : report;
  return wdlOf(value, draw, move.proof);
}

function valueOf([win, , loss]: Wdl): number {
  return win - loss;
}

function candidateOf(move: CoreMove, wdl: Wdl): Candidate {
  const { notation, visits, prior, pv } = move;
  return { move: move.move, notation, visits, prior, value: valueOf(wdl), mateIn: mateIn(move), pv };
}

/** Moves as chess counts them: the winner moves first and last, the loser moves first. */
function mateIn({ proof, proofPlies }: CoreMove): number | null {
  if (proof === 'win') return Math.floor((proofPlies + 1) / 2);
  return proof === 'loss' ? -Math.floor(proofPlies / 2) : null;
}
