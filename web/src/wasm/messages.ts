// What the page and the worker say to each other. Each request has a number; its replies carry it.

import type { GameName, GameResult, GameMoves, SearchLimits, SearchProgress } from '../engine/types';

export type Request =
  | { kind: 'open'; folder: string }
  | { kind: 'networks'; game: GameName }
  /** Answered when the first network has been fetched, or has failed to be. */
  | { kind: 'firstNetwork' }
  | { kind: 'levels'; game: GameName }
  | { kind: 'position'; record: GameMoves }
  | { kind: 'import'; game: GameName; text: string }
  | {
      kind: 'export';
      record: GameMoves;
      names: [string, string];
      result: GameResult | undefined;
      date: string | undefined;
    }
  | { kind: 'search'; record: GameMoves; network: string; limits: SearchLimits }
  | { kind: 'look'; record: GameMoves; network: string; path: readonly string[] }
  /** Ends the search with this number; it is answered with a problem. */
  | { kind: 'stop' };

export type Reply =
  | { kind: 'answer'; value: unknown }
  | { kind: 'progress'; progress: SearchProgress }
  | { kind: 'problem'; message: string; hint: string };

export type Numbered<T> = T & { id: number };

/** A worker seen from the page, the page seen from a worker, or one end of a MessageChannel. */
export interface Port {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}
