import { describe, expect, it } from 'vitest';
import { delayAfter, Reconnecting, type Handlers, type LinkState, type Timer } from '../src/live/backoff';

/** A clock that runs only when told to. */
class HandTimer implements Timer {
  pending: { id: number; callback: () => void; ms: number } | null = null;
  private nextId = 1;
  set(callback: () => void, ms: number): number {
    this.pending = { id: this.nextId, callback, ms };
    return this.nextId++;
  }
  clear(id: number): void {
    if (this.pending?.id === id) this.pending = null;
  }
  fire(): void {
    const due = this.pending;
    this.pending = null;
    due?.callback();
  }
}

function makeLink() {
  const timer = new HandTimer();
  const opens: Handlers[] = [];
  const states: LinkState[] = [];
  let numClosed = 0;
  const link = new Reconnecting(
    (handlers) => {
      opens.push(handlers);
      return { close: () => (numClosed += 1) };
    },
    (state) => states.push(state),
    timer,
  );
  return { timer, opens, states, link, numClosed: () => numClosed };
}

describe('a stream that reconnects', () => {
  it('waits longer after each failure and starts afresh after a success', () => {
    const { timer, opens, link } = makeLink();
    link.start();
    opens[0]?.failed();
    expect(timer.pending?.ms).toBe(delayAfter(1));
    timer.fire();
    opens[1]?.failed();
    expect(timer.pending?.ms).toBe(delayAfter(2));
    timer.fire();
    opens[2]?.opened();
    opens[2]?.failed();
    expect(timer.pending?.ms).toBe(delayAfter(1));
  });

  it('never waits longer than ten seconds', () => expect(delayAfter(60)).toBe(10_000));

  it('tells its states in order', () => {
    const { timer, opens, states, link } = makeLink();
    link.start();
    opens[0]?.opened();
    opens[0]?.failed();
    timer.fire();
    opens[1]?.opened();
    link.stop();
    expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open', 'closed']);
  });

  it('tries at once when asked to', () => {
    const { timer, opens, link } = makeLink();
    link.start();
    opens[0]?.failed();
    link.retryNow();
    expect(opens).toHaveLength(2);
    expect(timer.pending).toBeNull();
  });

  it('does not listen to a stream that it gave up', () => {
    const { timer, opens, states, link, numClosed } = makeLink();
    link.start();
    link.stop();
    opens[0]?.opened();
    opens[0]?.failed();
    expect(states.at(-1)).toBe('closed');
    expect(timer.pending).toBeNull();
    expect(numClosed()).toBe(1);
  });
});
