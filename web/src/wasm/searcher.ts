// One game searched in one instance of the core. A tree is searched a slice at a time, so that the worker hears
// messages in between; alpha-beta (alphabeta.ts) cannot be and has a thread of its own.

import type { GameMoves, SearchProgress, SearchResult, TreeNode } from '../engine/types';
import type { CoreInstance, Pointer } from './instance';
import type { CoreLimits } from './limits';
import type { PlanesEvaluator } from './onnx';
import type { SearchSettings } from './playdata';
import { readNode, readReport, type Choose } from './report';

const SLICE_MS = 40;
export const REPORT_MS = 100;
/** Leaves of one tree in a batch: more would look at worse moves (src/milton/play/searcher.py). */
const LEAF_BATCH = 8;
const MS_PER_S = 1000;

export interface SearchTask {
  record: GameMoves;
  limits: CoreLimits;
  onProgress: (progress: SearchProgress) => void;
  stop: AbortSignal;
  /** Of a level that does not always play the best move. */
  choose: Choose | null;
}

export interface GameSearcher {
  /** The best so far when a limit is reached; rejects with the signal's reason when stopped. */
  search(task: SearchTask): Promise<SearchResult>;
  /** A node of its tree; null if there is no tree or no such node. May be asked while it searches. */
  lookInside(record: GameMoves, path: readonly string[]): TreeNode | null;
  /** False once it cannot search any more: it had to be ended to stop a search. */
  readonly isAlive: boolean;
  /** Gives up what it holds outside this thread. */
  close(): void;
}

/** What ends a search, with its move; an error if it has none. */
export function resultOf(progress: SearchProgress): SearchResult {
  const best = progress.candidates[0];
  if (best === undefined) throw new Error('the search found no move in a position that has some');
  return { ...progress, done: true, move: best.move };
}

/** Goes to the position, says which moves count there, and forgets what is not to be used. */
export function setRecord(
  instance: CoreInstance,
  engine: Pointer,
  { record, limits }: Pick<SearchTask, 'record' | 'limits'>,
): void {
  instance.call('milton_set_record', engine, record.start, record.moves.join(' '));
  instance.call('milton_set_focus', engine, limits.onlyMoves.join(' '), limits.numLines);
  if (limits.fresh) instance.call('milton_forget', engine);
}

abstract class TreeSearcher implements GameSearcher {
  readonly isAlive = true;

  constructor(
    protected readonly instance: CoreInstance,
    protected readonly engine: Pointer,
    settings: SearchSettings,
  ) {
    for (const [name, value] of Object.entries(settings)) {
      instance.call('milton_set_parameter', engine, name, value);
    }
  }

  async search(task: SearchTask): Promise<SearchResult> {
    const started = performance.now();
    this.begin(task);
    let reported = started;
    while (!(await this.advance())) {
      await hearMessages();
      task.stop.throwIfAborted();
      if (performance.now() - reported < REPORT_MS) continue;
      reported = performance.now();
      const progress = this.report(started);
      if (progress.candidates.length > 0) task.onProgress(progress);
    }
    return resultOf(this.report(started, task.choose));
  }

  lookInside(record: GameMoves, path: readonly string[]): TreeNode | null {
    return readNode(this.instance, this.engine, record, path);
  }

  close(): void {
    // All of it is in this thread's memory.
  }

  /** Works for about a slice; true when the search has ended. */
  protected abstract advance(): boolean | Promise<boolean>;

  private begin(task: SearchTask): void {
    setRecord(this.instance, this.engine, task);
    const { maxNodes, softS, hardS, stopEarly } = task.limits;
    this.instance.call('milton_begin', this.engine, maxNodes, softS, hardS, stopEarly ? 1 : 0);
  }

  private report(started: number, choose: Choose | null = null): SearchProgress {
    return readReport(this.instance, this.engine, 'mcts', started, choose);
  }
}

/** The core evaluates: the sparse network, or none. */
export class InsideSearcher extends TreeSearcher {
  protected advance(): boolean {
    return this.instance.call('milton_advance', this.engine, SLICE_MS / MS_PER_S) !== 0;
  }
}

/** Leaves are evaluated by another runtime, a few at a time. */
export class OutsideSearcher extends TreeSearcher {
  constructor(
    instance: CoreInstance,
    engine: Pointer,
    settings: SearchSettings,
    private readonly evaluator: PlanesEvaluator,
  ) {
    super(instance, engine, settings);
  }

  protected async advance(): Promise<boolean> {
    const end = performance.now() + SLICE_MS;
    do {
      const count = this.instance.call('milton_gather', this.engine, LEAF_BATCH);
      if (count > 0) await this.evaluate(count);
      if (this.instance.call('milton_should_stop', this.engine) !== 0) return true;
    } while (performance.now() < end);
    return false;
  }

  private async evaluate(count: number): Promise<void> {
    const core = this.instance;
    const planes = core.floatsAt(core.call('milton_planes', this.engine), count * this.evaluator.planesSize);
    const { policy, wdl } = await this.evaluator.evaluate(planes, count);
    const places = [policy, wdl].map((floats) => core.copyIn(floats));
    core.call('milton_apply', this.engine, ...places);
    for (const place of places) core.free(place);
  }
}

/** Lets the messages in that are waiting. Timers would do, but browsers slow them down. */
function hearMessages(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
