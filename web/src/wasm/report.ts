// What the core reports of a search, and what the page makes of it. Scores follow src/milton/play/score.py.

import type { Algorithm, Candidate, GameMoves, SearchProgress, Side, TreeMove, TreeNode } from '../engine/types';
import type { CoreInstance, Pointer } from './instance';
import { provenWdl, wdlOf, type Proof, type Wdl } from './score';

/** Candidates that come with their variations. */
const NUM_LINES = 8;
/** No position has as many moves. */
const ALL_LINES = 1000;

/** The index of the move to play. */
export type Choose = (candidates: readonly Candidate[]) => number;

interface CoreMove extends KnownMove {
  pv: string[];
}

interface KnownMove {
  move: string;
  notation: string;
  visits: number;
  prior: number;
  value: number;
  draw: number;
  proof: Proof;
  /** To a proven end, from the root. */
  proofPlies: number;
}

interface CoreTreeMove extends KnownMove {
  exploration: number;
  isExpanded: boolean;
}

/** Written by core/wasm/report.h. */
interface CoreNode {
  sideToMove: Side;
  visits: number;
  value: number;
  proof: Proof;
  numUntried: number;
  moves: CoreTreeMove[];
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

/**
 * How far the search in `engine` has got; `started` is when it began, by performance.now(). The best candidate comes
 * first, or the one that a level chooses.
 */
export function readReport(
  instance: CoreInstance,
  engine: Pointer,
  algorithm: Algorithm,
  started: number,
  choose: Choose | null = null,
): SearchProgress {
  const report = instance.callForJson<CoreReport>('milton_report', engine, choose === null ? NUM_LINES : ALL_LINES);
  const found = report.moves.map((move) => {
    const wdl = wdlOfMove(move, report);
    return { wdl, candidate: candidateOf(move, wdl) };
  });
  if (choose !== null && found.length > 0) {
    const chosen = choose(found.map(({ candidate }) => candidate));
    found.unshift(...found.splice(chosen, 1));
  }
  const wdl = found[0]?.wdl ?? [0, 1, 0];
  return {
    algorithm,
    nodes: report.simulations,
    depth: report.depth,
    elapsedMs: Math.round(performance.now() - started),
    wdl,
    value: valueOf(wdl),
    candidates: found.map(({ candidate }) => candidate),
    done: false,
  };
}

/** A node of the tree in `engine`; null if its search stands elsewhere or has not been there. */
export function readNode(
  instance: CoreInstance,
  engine: Pointer,
  { start, moves }: GameMoves,
  path: readonly string[],
): TreeNode | null {
  const texts = [start, moves.join(' '), path.join(' ')];
  const node = instance.callForJson<CoreNode | null>('milton_node', engine, ...texts);
  if (node === null) return null;
  const { sideToMove, visits, numUntried } = node;
  return { sideToMove, visits, value: meanOrProven(node), numUntried, moves: node.moves.map(treeMoveOf) };
}

function treeMoveOf(move: CoreTreeMove): TreeMove {
  const { notation, visits, prior, exploration, isExpanded } = move;
  const value = meanOrProven(move);
  return { move: move.move, notation, visits, prior, value, exploration, mateIn: mateIn(move), isExpanded };
}

function meanOrProven({ value, proof }: { value: number; proof: Proof }): number {
  const proven = provenWdl(proof);
  return proven === null ? value : valueOf(proven);
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
function mateIn({ proof, proofPlies }: KnownMove): number | null {
  if (proof === 'win') return Math.floor((proofPlies + 1) / 2);
  return proof === 'loss' ? -Math.floor(proofPlies / 2) : null;
}
