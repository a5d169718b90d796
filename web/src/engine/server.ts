// The engine behind `milton serve`. Speaks HTTP and nothing else; the server knows the rules.

import type { components } from '../api/schema';
import { getJson, lostConnection, post, postJson, problemIn } from './http';
import { readJsonLines } from './stream';
import {
  EngineProblem,
  type Engine,
  type GameName,
  type GameResult,
  type LevelInfo,
  type NetworkInfo,
  type MoveToWord,
  type PositionView,
  type Reason,
  type GameMoves,
  type SearchLimits,
  type SearchProgress,
  type SearchResult,
  type TreeNode,
  type Words,
  type WordsInfo,
} from './types';

type Message = components['schemas']['SearchMessage'];

export class ServerEngine implements Engine {
  readonly kind = 'server';

  networks(game: GameName): Promise<NetworkInfo[]> {
    return getJson(`api/networks?game=${encodeURIComponent(game)}`);
  }

  async levels(game: GameName): Promise<readonly LevelInfo[]> {
    return (await getJson<{ levels: LevelInfo[] }>(`api/levels?game=${encodeURIComponent(game)}`)).levels;
  }

  position(record: GameMoves): Promise<PositionView> {
    return postJson('api/position', record);
  }

  async search(
    record: GameMoves,
    network: string,
    limits: SearchLimits,
    onProgress: (progress: SearchProgress) => void,
    stop: AbortSignal,
  ): Promise<SearchResult> {
    const answer = await post('api/search', { record, network, limits }, stop);
    if (answer.body === null) throw new EngineProblem('The server sent no search.');
    try {
      for await (const line of readJsonLines(answer.body)) {
        const message = line as Message;
        if (message.kind === 'problem') throw problemIn(message, 'The search failed.');
        if (message.kind === 'result') return message;
        onProgress(message);
      }
    } catch (error) {
      if (stop.aborted || error instanceof EngineProblem) throw error;
      throw lostConnection();
    }
    stop.throwIfAborted();
    throw lostConnection();
  }

  lookInside(record: GameMoves, network: string, path: readonly string[]): Promise<TreeNode | null> {
    return postJson('api/tree', { record, network, path });
  }

  importGame(game: GameName, text: string): Promise<GameMoves> {
    return postJson('api/import', { game, text });
  }

  async exportGame(record: GameMoves, names: [string, string], result?: GameResult, date?: string): Promise<string> {
    return (await postJson<{ text: string }>('api/export', { record, names, result, date })).text;
  }

  reason(record: GameMoves, played: string[], better: string[]): Promise<Reason | null> {
    return postJson('api/reason', { record, played, better });
  }

  wordsInfo(game: GameName): Promise<WordsInfo | null> {
    return getJson(`api/words?game=${encodeURIComponent(game)}`);
  }

  word(record: GameMoves, moves: readonly MoveToWord[]): Promise<Words> {
    return postJson('api/words', { record, moves });
  }
}
