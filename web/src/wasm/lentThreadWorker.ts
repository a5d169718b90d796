// Where a lent thread runs: a worker that the worker of alpha-beta starts.

import { lendThread, type Loan } from './lentThread';

self.onmessage = ({ data }) => lendThread(data as Loan, () => self.postMessage('ready'));
