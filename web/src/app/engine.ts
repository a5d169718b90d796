// The one engine of the page, made when it is first needed: the server's, or the WebAssembly core.

import type { Engine } from '../engine/types';

let made: Promise<Engine> | null = null;

export const hasServer = __ENGINE__ === 'server';

export function getEngine(): Promise<Engine> {
  made ??= make();
  made.catch(() => (made = null)); // a failed load may be tried again
  return made;
}

async function make(): Promise<Engine> {
  if (__ENGINE__ === 'server') {
    const { ServerEngine } = await import('../engine/server');
    return new ServerEngine();
  }
  const { createWasmEngine } = await import('../wasm/engine');
  return createWasmEngine();
}
