// A stream that is opened again when it breaks: waits longer after each failure, starts afresh after a success.
// Knows neither SSE nor fetch; `open` does, and the clock is handed in so that tests need not wait.

export type LinkState = 'connecting' | 'open' | 'waiting' | 'closed';

export interface Opened {
  close(): void;
}

export interface Handlers {
  opened(): void;
  failed(): void;
}

export interface Timer {
  set(callback: () => void, ms: number): number;
  clear(id: number): void;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

export const realTimer: Timer = {
  set: (callback, ms) => window.setTimeout(callback, ms),
  clear: (id) => window.clearTimeout(id),
};

export function delayAfter(numFailures: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, numFailures - 1));
}

export class Reconnecting {
  private opened: Opened | null = null;
  private numFailures = 0;
  private timerId: number | null = null;
  private current: LinkState = 'closed';
  /** Answers from a stream that was given up must not count for its successor. */
  private generation = 0;

  constructor(
    private readonly open: (handlers: Handlers) => Opened,
    private readonly onState: (state: LinkState) => void,
    private readonly timer: Timer = realTimer,
  ) {}

  get state(): LinkState {
    return this.current;
  }

  start(): void {
    if (this.current === 'closed') this.connect();
  }

  /** Tries at once instead of waiting on; for a person who presses a button, or a page that comes back. */
  retryNow(): void {
    if (this.current === 'waiting') this.connect();
  }

  stop(): void {
    this.drop();
    this.enter('closed');
  }

  private connect(): void {
    this.drop();
    this.enter('connecting');
    const generation = this.generation;
    this.opened = this.open({
      opened: () => {
        if (generation !== this.generation) return;
        this.numFailures = 0;
        this.enter('open');
      },
      failed: () => {
        if (generation === this.generation) this.wait();
      },
    });
  }

  private wait(): void {
    this.drop();
    this.numFailures += 1;
    this.enter('waiting');
    this.timerId = this.timer.set(() => this.connect(), delayAfter(this.numFailures));
  }

  private drop(): void {
    this.generation += 1;
    this.opened?.close();
    this.opened = null;
    if (this.timerId !== null) this.timer.clear(this.timerId);
    this.timerId = null;
  }

  private enter(state: LinkState): void {
    if (state === this.current) return;
    this.current = state;
    this.onState(state);
  }
}
