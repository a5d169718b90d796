// Alpha-beta in a worker of its own, seen from the engine's worker, which goes on hearing the page. No message reaches a
// worker that searches. Where memory can be shared a flag in it stops the search; elsewhere its worker is ended, and what
// its table remembered is lost.

import type { GameMoves, SearchProgress, SearchResult } from '../engine/types';
import type { CoreLimits } from './limits';
import type { Port } from './messages';
import type { GameSearcher, SearchTask } from './searcher';
import type { SparseSetup } from './sparse';

/** To the worker: first `open`, then one `search` after the other. */
export type ThreadRequest =
  | { kind: 'open'; setup: SparseSetup; stopFlag: StopFlag | null }
  | { kind: 'search'; record: GameMoves; limits: CoreLimits };

/** One number that both sides see: not 0 ends the search. */
type StopFlag = Int32Array<SharedArrayBuffer>;

export type ThreadReply =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: SearchProgress }
  | { kind: 'result'; result: SearchResult }
  | { kind: 'problem'; message: string };

export interface Thread extends Port {
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

/** A search that has not heard the flag by then is ended with its worker. */
const PATIENCE_MS = 2000;

export class ThreadSearcher implements GameSearcher {
  isAlive = true;

  private constructor(
    private readonly thread: Thread,
    private readonly stopFlag: StopFlag | null,
  ) {}

  /** Rejects if the network is not what it should be. */
  static async open(thread: Thread, setup: SparseSetup): Promise<ThreadSearcher> {
    const isShared = (setup.numThreads ?? 1) > 1;
    const stopFlag = isShared ? new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) : null;
    const searcher = new ThreadSearcher(thread, stopFlag);
    try {
      await searcher.ask({ kind: 'open', setup, stopFlag }, () => undefined);
    } catch (error) {
      searcher.close();
      throw error;
    }
    return searcher;
  }

  async search({ record, limits, onProgress, stop }: SearchTask): Promise<SearchResult> {
    let patience: ReturnType<typeof setTimeout> | undefined;
    let end = (): void => undefined;
    const ended = new Promise<never>((_, reject) => {
      end = () => {
        this.close();
        reject(stop.reason as Error);
      };
    });
    const abort = (): void => {
      if (this.stopFlag === null) return end();
      Atomics.store(this.stopFlag, 0, 1);
      patience = setTimeout(end, PATIENCE_MS);
    };
    if (this.stopFlag !== null) Atomics.store(this.stopFlag, 0, 0);
    stop.addEventListener('abort', abort, { once: true });
    try {
      const reply = await Promise.race([this.ask({ kind: 'search', record, limits }, onProgress), ended]);
      stop.throwIfAborted();
      if (reply.kind !== 'result') throw new Error(`the search answered with ${reply.kind}`);
      return reply.result;
    } finally {
      clearTimeout(patience);
      stop.removeEventListener('abort', abort);
    }
  }

  lookInside(): null {
    return null; // alpha-beta keeps no tree
  }

  close(): void {
    this.isAlive = false;
    this.thread.terminate();
  }

  private ask(request: ThreadRequest, onProgress: SearchTask['onProgress']): Promise<ThreadReply> {
    return new Promise((resolve, reject) => {
      this.thread.onerror = (event) => reject(new Error(event.message));
      this.thread.onmessage = ({ data }) => {
        const reply = data as ThreadReply;
        if (reply.kind === 'progress') onProgress(reply.progress);
        else if (reply.kind === 'problem') reject(new Error(reply.message));
        else resolve(reply);
      };
      this.thread.postMessage(request);
    });
  }
}

/** The worker's side: answers at `port`, blocked while it searches. */
export function serveThread(port: Port, open: (setup: SparseSetup) => Promise<BlockingSearch>): void {
  let search: BlockingSearch | null = null;
  let isStopped = (): boolean => false;
  const send = (reply: ThreadReply): void => port.postMessage(reply);
  const answer = async (request: ThreadRequest): Promise<ThreadReply> => {
    if (request.kind === 'open') {
      const { setup, stopFlag } = request;
      search = await open(setup);
      if (stopFlag !== null) isStopped = () => Atomics.load(stopFlag, 0) !== 0;
      return { kind: 'ready' };
    }
    if (search === null) throw new Error('the search was not opened');
    const { record, limits } = request;
    const onProgress = (progress: SearchProgress): void => send({ kind: 'progress', progress });
    return { kind: 'result', result: search.search({ record, limits, onProgress }, isStopped) };
  };
  port.onmessage = ({ data }) => {
    answer(data as ThreadRequest).then(send, (error: unknown) =>
      send({ kind: 'problem', message: error instanceof Error ? error.message : String(error) }),
    );
  };
}

interface BlockingSearch {
  search(task: Pick<SearchTask, 'record' | 'limits' | 'onProgress'>, isStopped: () => boolean): SearchResult;
}
