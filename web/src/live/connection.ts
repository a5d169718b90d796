// Whether the server answers. Everything that talks to it reports here; once it is lost, asks until it is back.
// In a page without a server nothing ever reports, and the connection counts as open.

import { Reconnecting, type Handlers, type LinkState } from './backoff';

type Listener = (isOnline: boolean) => void;

const listeners = new Set<Listener>();
let link: Reconnecting | null = null;
let online = true;

export function isOnline(): boolean {
  return online;
}

export function onConnectionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A request found nobody. Asks for the server until it answers again. */
export function reportLost(): void {
  if (!online) return;
  setOnline(false);
  link = new Reconnecting(ask, (state: LinkState) => {
    if (state === 'open') reportFound();
  });
  link.start();
}

export function reportFound(): void {
  link?.stop();
  link = null;
  setOnline(true);
}

export function retryNow(): void {
  link?.retryNow();
}

function ask(handlers: Handlers): { close(): void } {
  const abort = new AbortController();
  fetch('api/info', { signal: abort.signal, cache: 'no-store' })
    .then((answer) => (answer.ok ? handlers.opened() : handlers.failed()))
    .catch(() => handlers.failed());
  return { close: () => abort.abort() };
}

function setOnline(value: boolean): void {
  if (online === value) return;
  online = value;
  for (const listener of [...listeners]) listener(value);
}
