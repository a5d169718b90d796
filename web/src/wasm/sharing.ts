// Threads for alpha-beta, where the browser lets a page share memory between them: only if the page is cross-origin
// isolated (docs/web.md).

import type { CoreInstance } from './instance';
import type { Loan } from './lentThread';

/** As scripts/wasm.sh links it. */
const MAX_PAGES = 8192;
/** More than the core has at its start; it grows. */
const FIRST_PAGES = 64;
/** As scripts/wasm.sh gives the first thread. */
const STACK_BYTES = 1 << 20;
/** More add little: they only fill the table that all share. */
const MOST_THREADS = 8;

/** A worker that lends its thread. */
export interface Lender {
  postMessage(loan: Loan): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** One core is left to the page where there are many. */
export function threadsFor(numCores: number, isIsolated: boolean): number {
  if (!isIsolated) return 1;
  return Math.max(1, Math.min(MOST_THREADS, numCores > 2 ? numCores - 1 : numCores));
}

export function newSharedMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES, shared: true });
}

/** Resolves with how many threads search, this one among them: a worker that does not start is done without. */
export async function borrowThreads(instance: CoreInstance, lenders: readonly Lender[]): Promise<number> {
  const lent = await Promise.all(lenders.map((lender) => borrow(instance, lender)));
  return 1 + lent.filter((isLent) => isLent).length;
}

function borrow(instance: CoreInstance, lender: Lender): Promise<boolean> {
  return new Promise((resolve) => {
    lender.onmessage = () => resolve(true);
    lender.onerror = () => resolve(false);
    lender.postMessage(instance.loan(STACK_BYTES));
  });
}
