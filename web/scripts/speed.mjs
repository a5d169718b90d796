// Searches in the WebAssembly core for scripts/bench_wasm.py: one line of JSON in ({ game, text, level }), one out
// ({ cpuS }). Vite only translates the TypeScript; the search runs in this process.

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
const { LocalEngine } = await vite.ssrLoadModule('/src/wasm/local.ts');
const engine = await LocalEngine.open((name) => readFile(join(root, 'public-site/engine', name)));
const never = new AbortController().signal;

for await (const line of createInterface({ input: process.stdin })) {
  const { game, text, level } = JSON.parse(line);
  const before = process.cpuUsage();
  await engine.search({ game, start: text, moves: [] }, 'champion', { level }, () => undefined, never);
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ cpuS: (user + system) / 1e6 }));
}
await vite.close();
