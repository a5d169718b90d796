// The built worker in a real browser, below a path of its own: every network of the site searches, the line is cut, and
// search goes on. Run by tests/wasm; prints what was found as JSON. Speaks the messages of src/wasm/messages.ts.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch, openPage } from '../e2e/browser.mjs';
import { serveFiles } from '../e2e/servers.mjs';

const SITE = fileURLToPath(new URL('../dist', import.meta.url));
const PATH = '/some/where/';
const SIMULATIONS = 2000;

const worker = readdirSync(`${SITE}/assets`).find((name) => /^worker-.*\.js$/.test(name));
const { networks } = JSON.parse(readFileSync(`${SITE}/engine/play.json`, 'utf8'));

/** In the page: asks a worker that was made before, or makes it. */
const ask = (request) =>
  new Promise((resolve, reject) => {
    const id = (globalThis.lastId = (globalThis.lastId ?? 0) + 1);
    globalThis.engine ??= new Worker(request.worker, { type: 'module' });
    globalThis.engine.onerror = (event) => reject(new Error(event.message));
    globalThis.engine.addEventListener('message', ({ data }) => {
      if (data.id !== id || data.kind === 'progress') return;
      if (data.kind === 'answer') resolve(data.value);
      else reject(new Error(data.message));
    });
    globalThis.engine.postMessage({ ...request, id });
  });

const files = await serveFiles(SITE, PATH);
const browser = await launch();
try {
  const { page, context, problems } = await openPage(browser, files.origin + PATH);
  await page.goto(files.origin + PATH);
  const tell = (request) => page.evaluate(ask, { ...request, worker: `${PATH}assets/${worker}` });
  await tell({ kind: 'open', folder: `${files.origin}${PATH}engine/` });
  const search = (game, network) => {
    const record = { game, start: null, moves: [] };
    return tell({ kind: 'search', record, network, limits: { simulations: SIMULATIONS } });
  };
  const found = [];
  for (const { game, id } of networks) {
    const { nodes, elapsedMs, notice, move } = await search(game, id);
    assert.equal(notice, undefined, `${game}/${id}`);
    assert.equal(nodes, SIMULATIONS);
    found.push({ game, network: id, move, simulationsPerS: Math.round((1000 * nodes) / Math.max(1, elapsedMs)) });
  }
  const record = { game: 'chess', start: null, moves: [] };
  const timed = await tell({ kind: 'search', record, network: 'champion', limits: { moveTimeMs: 2000 } });
  assert.equal(timed.algorithm, 'alphabeta');
  const nodesPerS = Math.round((1000 * timed.nodes) / Math.max(1, timed.elapsedMs));
  found.push({ game: 'chess', network: 'champion', algorithm: 'alphabeta', move: timed.move, nodesPerS });
  await context.setOffline(true);
  assert.equal((await search('santorini', 'champion')).notice, undefined);
  assert.deepEqual(problems, []);
  console.log(JSON.stringify(found));
} finally {
  await browser.close();
  await files.stop();
}
