// The one engine of the page, made when it is first needed: the server's, or the WebAssembly core.

import { EngineProblem, type Engine } from '../engine/types';

/** Pages can be built before the WebAssembly core is. */
const WASM = import.meta.glob<{ createWasmEngine(): Promise<Engine> }>('../wasm/engine.ts');

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
  const load = Object.values(WASM)[0];
  if (load === undefined) throw new EngineProblem('This page was built without its engine.', 'Build it with `make site`.');
  return (await load()).createWasmEngine();
}
