// Checks of every page: accessibility by axe, in both themes; and the site that needs no server.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { violationsOf } from './axe.mjs';
import { openPage } from './browser.mjs';
import { makeRandom, playChess, playSantorini, storedMoves, waitForTurn } from './moves.mjs';
import { lookInside, pick } from './scenario.mjs';
import { serveFiles, startMilton } from './servers.mjs';

const SITE = fileURLToPath(new URL('../dist', import.meta.url));

/** Each page, and what is only there when that page is: the one before may still stand for a moment. */
const PAGES = [
  ['run', '.iterations tbody tr'],
  ['runs', '[aria-label^="Compare"]'],
  ['bot', '.empty'],
  ['play/chess', '.chess [role="grid"]'],
  ['play/santorini', '.santorini [role="grid"]'],
  ['play/connect_four', '.four [role="grid"]'],
  ['analyse/chess', '.analyse .chess [role="grid"]'],
  ['analyse/santorini', '.analyse .santorini [role="grid"]'],
  ['analyse/connect_four', '.analyse .four [role="grid"]'],
  ['analyse/chess?moves=e2e4.e7e5.d1h5.e8e7&review=1', '.review-item'],
];

/** No page breaks the rules of WCAG 2.1 AA that a program can check. */
export async function accessibility(world) {
  const server = await startMilton(world.milton, ['serve', '--run', world.longRun, '--port', '0'], world.folder);
  const found = [];
  for (const colorScheme of ['light', 'dark']) {
    const { page, context } = await openPage(world.browser, server.origin, { colorScheme });
    for (const [hash, sign] of PAGES) {
      await page.goto(`${server.origin}/#/${hash}`);
      await page.locator(sign).first().waitFor({ state: 'attached' });
      if (hash === 'play/chess') await page.getByRole('button', { name: 'New game' }).click();
      found.push(...(await violationsOf(page)).map((violation) => `${hash}, ${colorScheme}: ${violation}`));
      if (hash === 'play/chess') await page.keyboard.press('Escape');
    }
    await context.close();
  }
  await server.stop();
  assert.deepEqual(found, []);
}

/** Where a token is needed a browser gets a page to type it into, and then the page that it asked for. */
export async function loginPage(world) {
  const token = 'correct horse battery staple';
  const args = ['serve', '--port', '0', '--token', 'env:MILTON_E2E_TOKEN'];
  const server = await startMilton(world.milton, args, world.folder, { MILTON_E2E_TOKEN: token });
  const { page, context, problems } = await openPage(world.browser, server.origin, {});
  try {
    await page.goto(`${server.origin}/#/play/chess`);
    const box = page.getByLabel('Token', { exact: true });
    await box.fill('wrong');
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').waitFor();
    await box.fill(token);
    await page.getByRole('button', { name: 'Open' }).click();
    await waitForTurn(page);
    assert.equal(page.url(), `${server.origin}/#/play/chess`);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.stop();
  }
}

/** Any file server at any path, nothing else to ask: both games are played against the engine in the page. */
export async function staticSite(world) {
  if (!existsSync(`${SITE}/index.html`)) return 'skipped: web/dist is not built (make site)';
  const files = await serveFiles(SITE, '/some/where/');
  const { page, context, problems } = await openPage(world.browser, `${files.origin}/some/where/`, {
    viewport: { width: 640, height: 760 },
  });
  try {
    await page.goto(`${files.origin}/some/where/#/play/chess`);
    await waitForTurn(page);
    await playChess(page, 'e2e4');
    await playChess(page, 'd2d3');
    await lookInside(page, `${files.origin}/some/where`);
    await pick(page, 'Alpha-beta');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/alpha-beta, depth \d+$/).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    // From here on the page has only itself.
    await page.goto(`${files.origin}/some/where/#/play/santorini`);
    await waitForTurn(page);
    // The board is a part of its own that comes after the words.
    await page.locator('.santorini [data-cell][aria-label*="can b"]').first().waitFor({ state: 'attached' });
    await context.setOffline(true);
    const random = makeRandom(5);
    for (let turn = 0; turn < 4; turn += 1) await playSantorini(page, (cells) => cells[random(cells.length)]);
    assert.ok((await storedMoves(page, 'santorini')).length >= 7);
    assert.equal(await page.getByRole('link', { name: 'Run' }).count(), 0);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await files.stop();
  }
  return undefined;
}
