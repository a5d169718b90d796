// Where the engine of the static site runs: a Web Worker, so that the page stays awake while it searches.

import type { Port } from './messages';
import { openFromFolder, serve } from './service';
import { threadsFor } from './sharing';

const spawn = (): Worker =>
  new Worker(new URL('./threadWorker.ts', import.meta.url), { type: 'module', name: 'alphabeta' });
const numThreads = threadsFor(navigator.hardwareConcurrency, self.crossOriginIsolated);

serve(self as unknown as Port, (folder) => openFromFolder(folder, spawn, numThreads));
