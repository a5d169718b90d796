// The page's side of the WebAssembly engine: every question goes to the worker and comes back as a promise.

import {
  EngineProblem,
  type Engine,
  type GameName,
  type GameResult,
  type LevelInfo,
  type NetworkInfo,
  type PositionView,
  type GameMoves,
  type SearchLimits,
  type SearchProgress,
  type SearchResult,
  type TreeNode,
} from '../engine/types';
import type { Numbered, Port, Reply, Request } from './messages';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  onProgress: (progress: SearchProgress) => void;
}

const IGNORE = (): void => undefined;

export class WasmEngine implements Engine {
  readonly kind = 'wasm';
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(private readonly port: Port) {
    port.onmessage = ({ data }) => this.hear(data as Numbered<Reply>);
  }

  /** The engine's files lie in `folder`, an absolute address that ends with a slash. */
  async open(folder: string): Promise<void> {
    await this.ask({ kind: 'open', folder });
  }

  networks(game: GameName): Promise<NetworkInfo[]> {
    return this.ask({ kind: 'networks', game });
  }

  /** Resolves when the first network is here, or cannot be had. */
  firstNetwork(): Promise<void> {
    return this.ask({ kind: 'firstNetwork' });
  }

  levels(game: GameName): Promise<readonly LevelInfo[]> {
    return this.ask({ kind: 'levels', game });
  }

  position(record: GameMoves): Promise<PositionView> {
    return this.ask({ kind: 'position', record });
  }

  lookInside(record: GameMoves, network: string, path: readonly string[]): Promise<TreeNode | null> {
    return this.ask({ kind: 'look', record, network, path });
  }

  importGame(game: GameName, text: string): Promise<GameMoves> {
    return this.ask({ kind: 'import', game, text });
  }

  exportGame(record: GameMoves, names: [string, string], result?: GameResult, date?: string): Promise<string> {
    return this.ask({ kind: 'export', record, names, result, date });
  }

  async search(
    record: GameMoves,
    network: string,
    limits: SearchLimits,
    onProgress: (progress: SearchProgress) => void,
    stop: AbortSignal,
  ): Promise<SearchResult> {
    stop.throwIfAborted();
    const id = this.lastId + 1;
    const answer = this.ask<SearchResult>({ kind: 'search', record, network, limits }, onProgress);
    const abort = (): void => {
      this.waiting.get(id)?.reject(stop.reason);
      this.waiting.delete(id);
      this.port.postMessage({ kind: 'stop', id } satisfies Numbered<Request>);
    };
    stop.addEventListener('abort', abort, { once: true });
    try {
      return await answer;
    } finally {
      stop.removeEventListener('abort', abort);
    }
  }

  /** Whoever waits will not be answered any more. */
  fail(problem: EngineProblem): void {
    for (const { reject } of this.waiting.values()) reject(problem);
    this.waiting.clear();
  }

  private ask<T>(request: Request, onProgress: Waiting['onProgress'] = IGNORE): Promise<T> {
    const id = ++this.lastId;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting['resolve'], reject, onProgress });
      this.port.postMessage({ ...request, id });
    });
  }

  private hear(reply: Numbered<Reply>): void {
    const waiting = this.waiting.get(reply.id);
    if (waiting === undefined) return; // stopped meanwhile
    if (reply.kind === 'progress') {
      waiting.onProgress(reply.progress);
      return;
    }
    this.waiting.delete(reply.id);
    if (reply.kind === 'answer') waiting.resolve(reply.value);
    else waiting.reject(new EngineProblem(reply.message, reply.hint));
  }
}

/** The engine of the static site, in a worker of its own. Its files lie in `engine/` beside the page. */
export async function createWasmEngine(): Promise<Engine> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'engine' });
  const engine = new WasmEngine(worker);
  worker.onerror = (event) =>
    engine.fail(new EngineProblem(`The engine stopped: ${event.message}`, 'Reload the page.'));
  await engine.open(new URL('engine/', document.baseURI).href);
  // Not before: on a slow line the files of other games would come at the cost of the network that is to play.
  void engine.firstNetwork().then(async () => (await import('./install')).keepOffline());
  return engine;
}
