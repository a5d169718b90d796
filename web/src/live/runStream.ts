// The server's stream of a run's events, opened again whenever it breaks. A page that comes back gets the truth: the
// stream begins with a snapshot and goes on after the rows that the page has.

import { problemIn } from '../engine/http';
import { runAddress } from './address';
import { Reconnecting, type Handlers, type Opened } from './backoff';
import { reportFound, reportLost } from './connection';
import type { RunStreamMessage } from './messages';

export interface StreamEvents {
  message(message: RunStreamMessage): void;
  /** The server answers, but has nothing to show. */
  refused(problem: { message: string; hint: string }): void;
}

/** Of the run that is served, or of another one by its name. */
export function watchRun(name: string | null, events: StreamEvents): { close(): void } {
  let lastId = '';
  const open = (handlers: Handlers): Opened => {
    const source = new EventSource(runAddress(name, '/events', lastId === '' ? {} : { after: lastId }));
    source.onopen = () => {
      reportFound();
      handlers.opened();
    };
    source.onmessage = (event: MessageEvent<string>) => {
      if (event.lastEventId !== '') lastId = event.lastEventId;
      events.message(JSON.parse(event.data) as RunStreamMessage);
    };
    source.onerror = () => {
      source.close();
      void explain(name, events).finally(() => handlers.failed());
    };
    return { close: () => source.close() };
  };
  const link = new Reconnecting(open, () => undefined);
  link.start();
  const retry = (): void => {
    if (document.visibilityState === 'visible') link.retryNow();
  };
  document.addEventListener('visibilitychange', retry);
  return {
    close: () => {
      document.removeEventListener('visibilitychange', retry);
      link.stop();
    },
  };
}

/** An event source does not say why it failed; a plain question does. */
async function explain(name: string | null, events: StreamEvents): Promise<void> {
  try {
    const answer = await fetch(runAddress(name, ''), { cache: 'no-store' });
    if (!answer.ok)
      events.refused(problemIn(await answer.json().catch(() => null), `The server answered ${answer.status}.`));
  } catch {
    reportLost();
  }
}
