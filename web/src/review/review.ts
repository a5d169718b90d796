// What each move of a game lost, and what was better. The page asks its engine position by position, so that the server
// and the static site review alike. Thresholds and formulas are those of src/milton/review (tests compare them).

import {
  EngineProblem,
  type Algorithm,
  type Engine,
  type NetworkInfo,
  type Reason,
  type GameMoves,
  type SearchLimits,
  type Side,
  type Words,
} from '../engine/types';

/** Of the expected score: 0 to 1, a draw is half. */
export const INACCURACY = 0.05;
export const MISTAKE = 0.1;
export const BLUNDER = 0.15;

/**
 * Who judges a game unless somebody chooses: the shipped champion where there is one. A run's own may have learnt for
 * minutes, and would find mistakes where there are none.
 */
export function reviewerOf(networks: readonly NetworkInfo[]): string {
  return (networks.find(({ id }) => id === 'shipped') ?? networks[0])?.id ?? '';
}

export type Judgement = 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';

/** What is known of a position; values and mates are the first player's. */
export interface Evaluation {
  value: number;
  mateIn: number | null;
  /** Begins with the best move; empty where the game is over. */
  line: readonly string[];
  algorithm?: Algorithm | undefined;
}

export interface ReviewedMove {
  /** Number of moves before it. */
  ply: number;
  side: Side;
  move: string;
  notation: string;
  lost: number;
  judgement: Judgement;
  /** The move and what follows it with best play; empty for a move that lost nothing. */
  playedLine: readonly string[];
  betterLine: readonly string[];
  betterNotation: readonly string[];
  /** Moves: the better line mates, the move does not. */
  missedMateIn: number | null;
  /** Moves: the opponent can mate now, and could not before. */
  allowedMateIn: number | null;
  reason: Reason | null;
  /** Of a language model, instead of the reason's text; usually empty. */
  words: string;
}

export interface Review {
  record: GameMoves;
  /** Of every position, the start first; the first player's expected score, 0 to 1. */
  scores: readonly number[];
  moves: readonly ReviewedMove[];
  network: string;
  /** Null where the engine does not say. */
  algorithm: Algorithm | null;
}

export const JUDGED: readonly Judgement[] = ['inaccuracy', 'mistake', 'blunder'];
export const NAG_OF: { readonly [judgement in Judgement]?: number } = { inaccuracy: 6, mistake: 2, blunder: 4 };
const LINE_PLIES = 8;

export function judge(lost: number, isBest: boolean): Judgement {
  if (isBest) return 'best';
  if (lost >= BLUNDER) return 'blunder';
  if (lost >= MISTAKE) return 'mistake';
  return lost >= INACCURACY ? 'inaccuracy' : 'good';
}

/** Expected score that the mover lost; its best move is the measure and loses nothing. */
export function lostBy(side: Side, before: Evaluation, after: Evaluation, move: string): number {
  if (before.line.length === 0 || before.line[0] === move) return 0;
  const sign = side === 0 ? 1 : -1;
  return Math.max(0, (sign * (before.value - after.value)) / 2);
}

/** Mates that the mover missed, and that it allowed, in moves. */
export function matesOf(
  side: Side,
  before: Evaluation,
  after: Evaluation,
): { missed: number | null; allowed: number | null } {
  const sign = side === 0 ? 1 : -1;
  const [could, can] = [sign * (before.mateIn ?? 0), sign * (after.mateIn ?? 0)];
  return { missed: could > 0 && can <= 0 ? could : null, allowed: can < 0 && could >= 0 ? -can : null };
}

/** Of one move in per cent, by Lichess's fit. */
export function accuracyOf(lost: number): number {
  return Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * 100 * lost) - 3.1669));
}

export interface SideSummary {
  numMoves: number;
  accuracy: number | null;
  counts: { readonly [judgement in 'inaccuracy' | 'mistake' | 'blunder']: number };
}

export function summaryOf(review: Review, side: Side): SideSummary {
  const own = review.moves.filter((move) => move.side === side);
  const count = (judgement: Judgement): number => own.filter((move) => move.judgement === judgement).length;
  const accuracy = own.length === 0 ? null : own.reduce((sum, { lost }) => sum + accuracyOf(lost), 0) / own.length;
  return {
    numMoves: own.length,
    accuracy,
    counts: { inaccuracy: count('inaccuracy'), mistake: count('mistake'), blunder: count('blunder') },
  };
}

/** Searches every position of the record; `onProgress` hears how many are done of how many. */
export async function reviewGame(
  engine: Engine,
  record: GameMoves,
  network: string,
  limits: SearchLimits,
  onProgress: (done: number, total: number) => void,
  stop: AbortSignal,
): Promise<Review> {
  const total = record.moves.length + 1;
  const evaluations: Evaluation[] = [];
  const sides: Side[] = [];
  for (let ply = 0; ply < total; ply += 1) {
    const here = { ...record, moves: record.moves.slice(0, ply) };
    const { sideToMove, outcome } = await engine.position(here);
    sides.push(sideToMove);
    evaluations.push(
      outcome === null
        ? await evaluate(engine, here, sideToMove, network, limits, stop)
        : evaluationAtEnd(outcome.winner),
    );
    stop.throwIfAborted();
    onProgress(ply + 1, total);
  }
  const { notation } = await engine.position(record);
  const searched = evaluations.find(({ algorithm }) => algorithm !== undefined);
  const moves = await Promise.all(
    record.moves.map((move, ply) =>
      reviewed(engine, record, ply, move, notation[ply] ?? move, sides[ply] ?? 0, evaluations),
    ),
  );
  return {
    record,
    scores: evaluations.map(({ value }) => (1 + value) / 2),
    moves,
    network,
    algorithm: searched?.algorithm ?? null,
  };
}

async function evaluate(
  engine: Engine,
  record: GameMoves,
  side: Side,
  network: string,
  limits: SearchLimits,
  stop: AbortSignal,
): Promise<Evaluation> {
  const found = await engine.search(record, network, limits, () => undefined, stop);
  if (found.value === null)
    throw new EngineProblem('this opponent does not search', 'Review with a network that does.');
  const sign = side === 0 ? 1 : -1;
  const [best] = found.candidates;
  const mateIn = best?.mateIn ?? null;
  return {
    value: sign * found.value,
    mateIn: mateIn === null ? null : sign * mateIn,
    line: best?.pv ?? [found.move],
    algorithm: found.algorithm,
  };
}

function evaluationAtEnd(winner: Side | null): Evaluation {
  return { value: winner === null ? 0 : winner === 0 ? 1 : -1, mateIn: null, line: [] };
}

async function reviewed(
  engine: Engine,
  record: GameMoves,
  ply: number,
  move: string,
  notation: string,
  side: Side,
  evaluations: readonly Evaluation[],
): Promise<ReviewedMove> {
  const [before, after] = [evaluations[ply]!, evaluations[ply + 1]!];
  const lost = lostBy(side, before, after, move);
  const judgement = judge(lost, before.line.length === 0 || before.line[0] === move);
  const found: ReviewedMove = {
    ply,
    side,
    move,
    notation,
    lost,
    judgement,
    playedLine: [],
    betterLine: [],
    betterNotation: [],
    missedMateIn: null,
    allowedMateIn: null,
    reason: null,
    words: '',
  };
  if (!JUDGED.includes(judgement)) return found;
  const here = { ...record, moves: record.moves.slice(0, ply) };
  const betterLine = before.line.slice(0, LINE_PLIES);
  const view = await engine.position({ ...here, moves: [...here.moves, ...betterLine] });
  const playedLine = [move, ...after.line].slice(0, LINE_PLIES);
  const reason = (await engine.reason?.(here, playedLine, [...betterLine])) ?? null;
  const { missed, allowed } = matesOf(side, before, after);
  return {
    ...found,
    playedLine,
    betterLine,
    betterNotation: view.notation.slice(ply),
    missedMateIn: missed,
    allowedMateIn: allowed,
    reason,
  };
}

/** The most moves that a model is asked about at once (MOST_MOVES in src/milton/review/wording.py). */
const MOST_WORDED = 40;

/** The same review in the words of the engine's language model; judgements, figures and lines stay as they are. */
export async function inWords(engine: Engine, review: Review): Promise<{ review: Review; words: Words | null }> {
  const judged = review.moves
    .filter(({ judgement }) => JUDGED.includes(judgement))
    .sort((a, b) => b.lost - a.lost)
    .slice(0, MOST_WORDED);
  const told = judged.map(({ ply, lost, playedLine, betterLine, missedMateIn, allowedMateIn }) => {
    return { ply, lost, played: playedLine, better: betterLine, missedMateIn, allowedMateIn };
  });
  const found = await engine.word?.(review.record, told);
  if (found === undefined) return { review, words: null };
  const texts = new Map(found.moves.map(({ ply, text }) => [ply, text]));
  const moves = review.moves.map((move) => ({ ...move, words: texts.get(move.ply) ?? '' }));
  return { review: { ...review, moves }, words: found };
}
