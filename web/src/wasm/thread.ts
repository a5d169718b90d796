// Alpha-beta in a worker of its own, seen from the engine's worker, which goes on hearing the page. Nothing can be said
// to a worker that searches, so a search is stopped by ending its worker; what its table remembered is lost.

import type { Record, SearchProgress, SearchResult } from '../engine/types';
import type { CoreLimits } from './limits';
import type { Port } from './messages';
import type { GameSearcher, SearchTask } from './searcher';
import type { SparseSetup } from './sparse';

/** To the worker: first `open`, then one `search` after the other. */
export type ThreadRequest =
  { kind: 'open'; setup: SparseSetup } | { kind: 'search'; record: Record; limits: CoreLimits };

export type ThreadReply =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: SearchProgress }
  | { kind: 'result'; result: SearchResult }
  | { kind: 'problem'; message: string };

export interface Thread extends Port {
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

export class ThreadSearcher implements GameSearcher {
  isAlive = true;

  private constructor(private readonly thread: Thread) {}

  /** Rejects if the network is not what it should be. */
  static async open(thread: Thread, setup: SparseSetup): Promise<ThreadSearcher> {
    const searcher = new ThreadSearcher(thread);
    try {
      await searcher.ask({ kind: 'open', setup }, () => undefined);
    } catch (error) {
      searcher.close();
      throw error;
    }
    return searcher;
  }

  async search({ record, limits, onProgress, stop }: SearchTask): Promise<SearchResult> {
    let abort = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      abort = () => {
        this.close();
        reject(stop.reason as Error);
      };
    });
    stop.addEventListener('abort', abort, { once: true });
    try {
      const reply = await Promise.race([this.ask({ kind: 'search', record, limits }, onProgress), stopped]);
      if (reply.kind !== 'result') throw new Error(`the search answered with ${reply.kind}`);
      return reply.result;
    } finally {
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
export function serveThread(port: Port, open: (setup: SparseSetup) => BlockingSearch): void {
  let search: BlockingSearch | null = null;
  const send = (reply: ThreadReply): void => port.postMessage(reply);
  const answer = (request: ThreadRequest): ThreadReply => {
    if (request.kind === 'open') {
      search = open(request.setup);
      return { kind: 'ready' };
    }
    if (search === null) throw new Error('the search was not opened');
    const { record, limits } = request;
    const onProgress = (progress: SearchProgress): void => send({ kind: 'progress', progress });
    return { kind: 'result', result: search.search({ record, limits, onProgress }, () => false) };
  };
  port.onmessage = ({ data }) => {
    try {
      send(answer(data as ThreadRequest));
    } catch (error) {
      send({ kind: 'problem', message: error instanceof Error ? error.message : String(error) });
    }
  };
}

interface BlockingSearch {
  search(task: Pick<SearchTask, 'record' | 'limits' | 'onProgress'>, isStopped: () => boolean): SearchResult;
}
