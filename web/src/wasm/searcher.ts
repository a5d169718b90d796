// One game searched with one network in one instance of the core. Searches a slice at a time, so that the worker hears
// messages in between; there is no other way to stop a search without shared memory.

import type { Candidate, Record, SearchProgress, SearchResult } from '../engine/types';
import type { CoreInstance, Pointer } from './instance';
import type { CoreLimits } from './limits';
import type { PlanesEvaluator } from './onnx';
import type { SearchSettings } from './playdata';
import { wdlOf, type Proof, type Wdl } from './score';

const SLICE_MS = 40;
const REPORT_MS = 100;
/** Candidates that come with their variations. */
const NUM_LINES = 8;
/** Leaves of one tree in a batch: more would look at worse moves (src/milton/play/tree.py). */
const LEAF_BATCH = 8;
const MS_PER_S = 1000;

interface CoreMove {
  move: string;
  notation: string;
  visits: number;
  prior: number;
  value: number;
  draw: number;
  proof: Proof;
  pv: string[];
}

interface CoreReport {
  simulations: number;
  value: number;
  draw: number;
  moves: CoreMove[];
}

export interface SearchTask {
  record: Record;
  limits: CoreLimits;
  onProgress: (progress: SearchProgress) => void;
  stop: AbortSignal;
}

export abstract class GameSearcher {
  constructor(
    protected readonly instance: CoreInstance,
    protected readonly engine: Pointer,
    settings: SearchSettings,
  ) {
    for (const [name, value] of Object.entries(settings)) {
      instance.call('milton_set_parameter', engine, name, value);
    }
  }

  /** The best so far when a limit is reached; rejects with the signal's reason when stopped. */
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
    const { done: _, ...state } = this.report(started);
    const best = state.candidates[0];
    if (best === undefined) throw new Error('the search found no move in a position that has some');
    return { ...state, done: true, move: best.move };
  }

  /** Works for about a slice; true when the search has ended. */
  protected abstract advance(): boolean | Promise<boolean>;

  private begin({ record, limits }: SearchTask): void {
    const core = this.instance;
    core.call('milton_set_record', this.engine, record.start, record.moves.join(' '));
    if (limits.fresh) core.call('milton_forget', this.engine);
    const stopEarly = limits.stopEarly ? 1 : 0;
    core.call('milton_begin', this.engine, limits.maxSimulations, limits.softS, limits.hardS, stopEarly);
  }

  private report(started: number): SearchProgress {
    const report = this.instance.callForJson<CoreReport>('milton_report', this.engine, NUM_LINES);
    const found = report.moves.map((move) => ({ move, wdl: wdlOfMove(move, report) }));
    const wdl = found[0]?.wdl ?? [0, 1, 0];
    return {
      simulations: report.simulations,
      elapsedMs: Math.round(performance.now() - started),
      wdl,
      value: valueOf(wdl),
      candidates: found.map(({ move, wdl: own }) => candidateOf(move, own)),
      done: false,
    };
  }
}

/** The core evaluates: the sparse network, or none. */
export class InsideSearcher extends GameSearcher {
  protected advance(): boolean {
    return this.instance.call('milton_advance', this.engine, SLICE_MS / MS_PER_S) !== 0;
  }
}

/** Leaves are evaluated by another runtime, a few at a time. */
export class OutsideSearcher extends GameSearcher {
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
  return { move: move.move, notation, visits, prior, value: valueOf(wdl), pv };
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
