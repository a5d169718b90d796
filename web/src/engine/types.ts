// What the pages ask of an engine, wherever it runs. The pages hold no rules: legal moves, results and notation come
// from here. Two things implement it: the server (server.ts) and the WebAssembly core (../wasm/engine.ts).

import type { GameName } from '../api/games';

export type { GameName };

/** 0 moves first (White in chess). */
export type Side = 0 | 1;

/** A game so far. */
export interface GameMoves {
  game: GameName;
  /** FEN or the game's own text; null for the usual start. */
  start: string | null;
  /** In any notation that the core reads (for chess UCI and SAN); pages keep core notation. */
  moves: string[];
}

export interface Outcome {
  reason: string;
  /** null is a draw. */
  winner: Side | null;
}

export type GameResult = '1-0' | '0-1' | '1/2-1/2' | '*';

export interface PositionView {
  /** FEN, or the game's own text. */
  text: string;
  sideToMove: Side;
  ply: number;
  /** In core notation. */
  legalMoves: string[];
  /** Each move of the record in core notation, however it was given. */
  moves: string[];
  /** One for each move of the record: SAN in chess, elsewhere the core notation. */
  notation: string[];
  inCheck: boolean;
  outcome: Outcome | null;
}

export interface NetworkInfo {
  /** 'champion', 'run:iter_0012', 'uniform', … */
  id: string;
  label: string;
  game: GameName;
  family: string;
  note: string;
  /** 'own': a method with a search and a limit of its own; 'none': one that answers at once. Left out: 'any'. */
  limits?: 'any' | 'own' | 'none';
}

export interface ClockTimes {
  whiteMs: number;
  blackMs: number;
  whiteIncMs: number;
  blackIncMs: number;
}

export interface SearchLimits {
  simulations?: number;
  moveTimeMs?: number;
  /** 1 to 10. */
  level?: number;
  infinite?: boolean;
  /** As the opponent is set by itself; for those with limits 'own' or 'none'. */
  own?: boolean;
  clock?: ClockTimes;
  /** Which search; left out: alpha-beta for clocks and times where the network allows it. */
  algorithm?: Algorithm;
  /** Search these root moves alone. */
  onlyMoves?: string[];
}

export interface Candidate {
  move: string;
  notation: string;
  visits: number;
  prior: number;
  /** −1 to 1, seen by the side to move. */
  value: number;
  /** Of alpha-beta: the value is an upper bound, because the move is not among the lines. Left out: it is not. */
  isBound?: boolean;
  /** Moves to a proven win of the side to move, negative to a proven loss; null or left out: not proven. */
  mateIn?: number | null;
  pv: string[];
}

/** Monte Carlo tree search, or alpha-beta. */
export type Algorithm = 'mcts' | 'alphabeta';

export interface SearchProgress {
  /** Which search this is; left out: it is not known. */
  algorithm?: Algorithm;
  /** Simulations of the tree; positions visited by alpha-beta. */
  nodes: number;
  /** Mean plies to the leaves; alpha-beta: the last whole iteration. Left out: not known. */
  depth?: number;
  elapsedMs: number;
  /** That search together; left out: not known. */
  numThreads?: number;
  /** Win, draw, loss of the side to move; sums to 1. null: nobody searched. */
  wdl: [number, number, number] | null;
  /** −1 to 1, seen by the side to move. */
  value: number | null;
  candidates: Candidate[];
  done: boolean;
  /** Of a search that is over. */
  move?: string;
  /** Nothing is searched yet: the network is on its way. */
  download?: { doneBytes: number; totalBytes: number };
  /** Something the person should know, as that the network could not be loaded and search plays alone. */
  notice?: string;
}

export interface SearchResult extends SearchProgress {
  move: string;
}

/** Something that a person can mend: bad text, an unknown network, a server that went away. */
export class EngineProblem extends Error {
  constructor(
    message: string,
    /** What to do about it; may be empty. */
    readonly hint: string = '',
  ) {
    super(message);
    this.name = 'EngineProblem';
  }
}

/** Why a move was worse, in the coach's words. */
export interface Reason {
  category: string;
  text: string;
}

/** The language model that would word a review. */
export interface WordsInfo {
  provider: string;
  /** Empty: the provider's default. */
  model: string;
}

/** A move of a game that lost something; mates count moves. */
export interface MoveToWord {
  /** Number of moves before it. */
  ply: number;
  lost: number;
  played: readonly string[];
  better: readonly string[];
  missedMateIn: number | null;
  allowedMateIn: number | null;
}

/** Words about some of the moves; the others keep their own sentences. */
export interface Words {
  provider: string;
  moves: { ply: number; text: string }[];
  /** Texts that named moves or numbers of their own. */
  numDropped: number;
  /** Why there are none, if something went wrong. */
  problem: string;
}

/** A move that a tree search has tried, seen by the side to move at its node. */
export interface TreeMove {
  move: string;
  notation: string;
  /** N. */
  visits: number;
  /** P. */
  prior: number;
  /** Q, the mean of its simulations or the proven value. */
  value: number;
  /** U, what the selection rule adds to Q. */
  exploration: number;
  mateIn: number | null;
  /** Its own moves can be asked for. */
  isExpanded: boolean;
}

/** One node of a search tree. */
export interface TreeNode {
  sideToMove: Side;
  visits: number;
  /** Seen by the side to move here. */
  value: number;
  /** Legal moves that no simulation has gone to. */
  numUntried: number;
  /** Those that were tried, best first. */
  moves: TreeMove[];
}

/** A level of play, with its measured Elo where there is one. */
export interface LevelInfo {
  number: number;
  name: string;
  elo: number | null;
  /** Half of the 95 % interval. */
  margin: number | null;
}

export interface Engine {
  readonly kind: 'server' | 'wasm';
  networks(game: GameName): Promise<NetworkInfo[]>;
  /** Rejects with EngineProblem on bad text or moves, as every method does. */
  position(record: GameMoves): Promise<PositionView>;
  /** An aborted search rejects with the signal's reason (an AbortError). */
  search(
    record: GameMoves,
    network: string,
    limits: SearchLimits,
    onProgress: (progress: SearchProgress) => void,
    stop: AbortSignal,
  ): Promise<SearchResult>;
  /** The node that `path` leads to in the tree of a search that stands at the record, running or ended; null: none. */
  lookInside(record: GameMoves, network: string, path: readonly string[]): Promise<TreeNode | null>;
  /** FEN, PGN, or a Santorini or Connect Four text. */
  importGame(game: GameName, text: string): Promise<GameMoves>;
  /**
   * PGN, or the game's own text; `result` for games that ended off the board (resigned, out of time), `date` as a PGN
   * says it: "2026.11.30".
   */
  exportGame(record: GameMoves, names: [string, string], result?: GameResult, date?: string): Promise<string>;
  /** The levels of a game, weakest first. */
  levels(game: GameName): Promise<readonly LevelInfo[]>;
  /** Why the played line is worse than the better one, both from where the record leads; only servers have a coach. */
  reason?(record: GameMoves, played: string[], better: string[]): Promise<Reason | null>;
  /** Who would word a review; null where nobody is configured, as on the static site. */
  wordsInfo?(game: GameName): Promise<WordsInfo | null>;
  word?(record: GameMoves, moves: readonly MoveToWord[]): Promise<Words>;
}
