// The static site as one that is installed: kept in the browser, opened without a network, replaced by a new version.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage } from './browser.mjs';
import { clickSquare, playChess, storedMoves, waitForTurn } from './moves.mjs';
import { serveFiles } from './servers.mjs';
import { pick } from './scenario.mjs';

const SITE = fileURLToPath(new URL('../dist', import.meta.url));
const NEW_DESCRIPTION = 'The next version.';

/** What deploying does: another page, and a service worker that names it. */
function deployNextVersion(folder) {
  const change = (name, from, to) => {
    const path = join(folder, name);
    const before = readFileSync(path, 'utf8');
    const after = before.replace(from, to);
    assert.notEqual(after, before, `${name} has no ${from}`);
    writeFileSync(path, after);
  };
  change('index.html', /(name="description" content=)"[^"]*"/, `$1"${NEW_DESCRIPTION}"`);
  change('sw.js', /const VERSION = "\w+"/, 'const VERSION = "next"');
  change('sw.js', /("index\.html",\s*)"\w+"/, '$1"next"');
}

/** The service worker isolates the page, so alpha-beta may use several threads; a stop keeps the search for the next. */
async function alphaBetaWithThreads(page, address) {
  assert.ok(await page.evaluate(() => crossOriginIsolated), 'the page is not isolated');
  const numCores = await page.evaluate(() => navigator.hardwareConcurrency);
  await page.goto(`${address}#/analyse/chess`);
  await pick(page, 'Alpha-beta');
  for (let round = 0; round < 2; round += 1) {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const words = numCores > 1 ? /alpha-beta, depth \d+, \d threads/ : /alpha-beta, depth \d+/;
    await page.getByText(words).waitFor();
    await page.locator('.lines li').nth(2).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
  }
}

/** A slow network: the page says how much of the champion is here, and fetches nothing that no game needs. */
export async function slowSite(world) {
  if (!existsSync(`${SITE}/index.html`)) return 'skipped: web/dist is not built (make site)';
  let release;
  const until = new Promise((resolve) => (release = resolve));
  const files = await serveFiles(SITE, '/', { file: 'engine/chess.safetensors', until });
  const { page, context, problems } = await openPage(world.browser, files.origin);
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  try {
    await page.goto(`${files.origin}/#/play/chess`);
    await waitForTurn(page);
    await clickSquare(page, 'e2');
    await clickSquare(page, 'e4');
    await page
      .getByRole('status')
      .getByText(/Loading the network: \d\.\d of \d\.\d MB/)
      .waitFor();
    release();
    await waitForTurn(page);
    assert.equal((await storedMoves(page, 'chess')).length, 2);
    // Connect Four has its own champion, and no game so far needed the runtime of the convolutional network.
    await page.goto(`${files.origin}/#/play/connect_four`);
    await page.getByText(/against .*champion/i).waitFor();
    assert.deepEqual(
      asked.filter((address) => /onnx|ort-wasm/.test(address)),
      [],
    );
    assert.deepEqual(problems, []);
  } finally {
    release();
    await context.close();
    await files.stop();
  }
  return undefined;
}

/** Load, be offered a new version and take it, lose the network and the server, reload, play. */
export async function installedSite(world) {
  if (!existsSync(`${SITE}/index.html`)) return 'skipped: web/dist is not built (make site)';
  const folder = join(world.folder, 'installed');
  cpSync(SITE, folder, { recursive: true });
  const files = await serveFiles(folder, '/some/where/');
  const address = `${files.origin}/some/where/`;
  const { page, context, problems } = await openPage(world.browser, address);
  try {
    await page.goto(`${address}#/play/chess`);
    await waitForTurn(page);
    await playChess(page, 'e2e4');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector('link[rel="manifest"]');
      return (await fetch(link.href)).json();
    });
    for (const { src } of manifest.icons) assert.ok(existsSync(join(folder, src)), src);

    deployNextVersion(folder);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    await page.locator('#update').getByRole('button', { name: 'Update' }).click();
    await page.waitForFunction(
      (text) => document.querySelector('meta[name="description"]')?.content === text,
      NEW_DESCRIPTION,
    );
    await waitForTurn(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');

    await files.stop();
    await context.setOffline(true);
    await page.reload();
    await waitForTurn(page);
    const before = (await storedMoves(page, 'chess')).length;
    assert.ok(before >= 2, 'the game is kept');
    await playChess(page, 'd2d3');
    await waitForTurn(page);
    assert.ok((await storedMoves(page, 'chess')).length >= before + 2);
    await alphaBetaWithThreads(page, address);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await files.stop().catch(() => undefined);
  }
  return undefined;
}
