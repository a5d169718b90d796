// Searches in the WebAssembly core for scripts/bench_wasm.py: one line of JSON in ({ game, text, algorithm, nodes }),
// one out ({ cpuS }). Vite only translates the TypeScript; the search runs in this process.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '..');
const vite = await createServer({
  root,
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false, watch: null },
});
const { Networks } = await vite.ssrLoadModule('/src/wasm/networks.ts');
const { BlockingSearcher } = await vite.ssrLoadModule('/src/wasm/alphabeta.ts');
const { NO_LIMITS } = await vite.ssrLoadModule('/src/wasm/limits.ts');
const readEngineFile = (name) => readFile(join(root, 'public-site/engine', name));
const data = JSON.parse(await readEngineFile('play.json'));
const module = await WebAssembly.compile(await readEngineFile('milton.wasm'));
const networks = new Networks(module, readEngineFile, data, async (setup) => new BlockingSearcher(setup));
const stop = new AbortController().signal;
const searchers = new Map();

async function searcherFor(game, algorithm) {
  const key = `${game}/${algorithm}`;
  if (!searchers.has(key)) searchers.set(key, await networks.searcher(networks.of(game)[0], algorithm));
  return searchers.get(key);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { game, text, algorithm, nodes } = JSON.parse(line);
  const searcher = await searcherFor(game, algorithm);
  const record = { game, start: text, moves: [] };
  const limits = { ...NO_LIMITS, maxNodes: nodes, fresh: algorithm === 'mcts', numLines: data.numAlphaBetaLines };
  const before = process.cpuUsage();
  await searcher.search({ record, limits, onProgress: () => undefined, stop });
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ cpuS: (user + system) / 1e6 }));
}
await vite.close();
