// Alpha-beta in one instance of the core. A search blocks the thread it runs in until it ends; it looks up every few
// nodes, tells what it has found, and may be stopped then.

import type { SearchProgress, SearchResult } from '../engine/types';
import type { CoreInstance, Pointer } from './instance';
import { readReport } from './report';
import { borrowThreads, type Lender } from './sharing';
import { REPORT_MS, resultOf, setRecord, type GameSearcher, type SearchTask } from './searcher';
import { openSparse, type SparseSetup } from './sparse';

/** Of the transposition table: what every door of the program takes (DEFAULT_MEMORY_MB in src/milton/play/engine.py). */
const MEMORY_BYTES = 64 << 20;
/** The core looks up every 64 nodes; asking the time is dearer than that. */
const LOOKS_BETWEEN_TIMES = 16;

type Task = Pick<SearchTask, 'record' | 'limits' | 'onProgress'>;

export class AlphaBeta {
  private readonly instance: CoreInstance;
  private readonly engine: Pointer;
  private numThreads = 1;

  constructor(setup: SparseSetup) {
    ({ instance: this.instance, engine: this.engine } = openSparse(setup, 'alphabeta', MEMORY_BYTES));
  }

  /** With the threads that the setup asks for: this one, and those of workers that `spawn` starts. */
  static async open(setup: SparseSetup, spawn: () => Lender): Promise<AlphaBeta> {
    const alphaBeta = new AlphaBeta(setup);
    const lenders = Array.from({ length: (setup.numThreads ?? 1) - 1 }, spawn);
    alphaBeta.numThreads = await borrowThreads(alphaBeta.instance, lenders);
    return alphaBeta;
  }

  /** Blocks. A search that `isStopped` ended has a result, too. */
  search(task: Task, isStopped: () => boolean): SearchResult {
    const started = performance.now();
    setRecord(this.instance, this.engine, task);
    this.instance.isInterrupted = this.watcher(started, task, isStopped);
    const { maxNodes, softS, hardS, stopEarly } = task.limits;
    this.instance.call('milton_search', this.engine, maxNodes, softS, hardS, stopEarly ? 1 : 0);
    return resultOf(this.report(started, task.limits.numLines));
  }

  private watcher(started: number, task: Task, isStopped: () => boolean): () => boolean {
    let looks = 0;
    let reported = started;
    return () => {
      looks += 1;
      if (looks % LOOKS_BETWEEN_TIMES !== 0) return false;
      const now = performance.now();
      if (now - reported >= REPORT_MS) {
        reported = now;
        task.onProgress(this.report(started, task.limits.numLines));
      }
      return isStopped();
    };
  }

  /** The moves after the lines have no values of their own: the core found that they are not better, and no more. */
  private report(started: number, numLines: number): SearchProgress {
    const report = readReport(this.instance, this.engine, 'alphabeta', started);
    const candidates = report.candidates.map((candidate, rank) => ({
      ...candidate,
      isBound: rank >= numLines && candidate.visits > 0,
    }));
    return { ...report, candidates, numThreads: this.numThreads };
  }
}

/** In this thread, which hears nothing else while it searches: for tests and measurements. */
export class BlockingSearcher implements GameSearcher {
  readonly isAlive = true;
  private readonly alphaBeta: AlphaBeta;

  constructor(setup: SparseSetup) {
    this.alphaBeta = new AlphaBeta(setup);
  }

  async search(task: SearchTask): Promise<SearchResult> {
    const result = this.alphaBeta.search(task, () => task.stop.aborted);
    task.stop.throwIfAborted();
    return result;
  }

  lookInside(): null {
    return null; // alpha-beta keeps no tree
  }

  close(): void {
    // All of it is in this thread's memory.
  }
}
