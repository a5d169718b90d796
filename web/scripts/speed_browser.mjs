// The same as speed.mjs in chromium: searches of the built site for `scripts/bench_wasm.py --browser`. Its processor
// time is that of all processes of the browser; the page is not isolated, so one thread searches.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launch, openPage } from '../e2e/browser.mjs';
import { serveFiles } from '../e2e/servers.mjs';

const SITE = join(import.meta.dirname, '../dist');
const TICKS_PER_S = 100; // of /proc, on every Linux

/** [parent, ticks] of a process; null if it has ended. */
function readProcess(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return [Number(fields[1]), Number(fields[11]) + Number(fields[12])];
  } catch {
    return null;
  }
}

/** Of everything that this process has started: the browser. */
function browserCpuS() {
  const known = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), readProcess(name)])
      .filter(([, found]) => found !== null),
  );
  const isOurs = (pid) => {
    const parent = known.get(pid)?.[0] ?? 0;
    return parent === process.pid || (parent > 1 && isOurs(parent));
  };
  return [...known].filter(([pid]) => isOurs(pid)).reduce((sum, [, [, ticks]]) => sum + ticks, 0) / TICKS_PER_S;
}

const worker = readdirSync(`${SITE}/assets`).find((name) => /^worker-.*\.js$/.test(name));
const files = await serveFiles(SITE, '/');
const browser = await launch();
const { page } = await openPage(browser, files.origin);
await page.goto(`${files.origin}/engine/play.json`);
const ask = (request) =>
  page.evaluate(
    ([address, question]) =>
      new Promise((resolve, reject) => {
        globalThis.engine ??= new Worker(address, { type: 'module' });
        const id = (globalThis.lastId = (globalThis.lastId ?? 0) + 1);
        globalThis.engine.addEventListener('message', ({ data }) => {
          if (data.id !== id || data.kind === 'progress') return;
          if (data.kind === 'answer') resolve(data.value);
          else reject(new Error(data.message));
        });
        globalThis.engine.postMessage({ ...question, id });
      }),
    [`${files.origin}/assets/${worker}`, request],
  );
await ask({ kind: 'open', folder: `${files.origin}/engine/` });
for await (const line of createInterface({ input: process.stdin })) {
  const { game, text, algorithm, nodes } = JSON.parse(line);
  const before = browserCpuS();
  const record = { game, start: text, moves: [] };
  await ask({ kind: 'search', record, network: 'champion', limits: { simulations: nodes, algorithm } });
  console.log(JSON.stringify({ cpuS: browserCpuS() - before }));
}
await browser.close();
await files.stop();
