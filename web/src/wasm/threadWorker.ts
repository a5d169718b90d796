// Where alpha-beta runs: a worker that the engine's worker starts.

import { AlphaBeta } from './alphabeta';
import type { Port } from './messages';
import { serveThread } from './thread';

const spawn = (): Worker =>
  new Worker(new URL('./lentThreadWorker.ts', import.meta.url), { type: 'module', name: 'lent thread' });

serveThread(self as unknown as Port, (setup) => AlphaBeta.open(setup, spawn));
