// Where alpha-beta runs: a worker that the engine's worker starts.

import { AlphaBeta } from './alphabeta';
import type { Port } from './messages';
import { serveThread } from './thread';

serveThread(self as unknown as Port, (setup) => new AlphaBeta(setup));
