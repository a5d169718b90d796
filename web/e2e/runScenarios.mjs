// Watching runs: one that learns while the page looks, and one with a thousand iterations.

import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';
import { startMilton } from './servers.mjs';

/** A loop that runs: its stage moves on, iterations appear by themselves, and their games can be replayed. */
export async function runningLoop(world) {
  const loop = await startMilton(world.milton, [...world.loop, '--run', 'watched', '--port', '0'], world.folder);
  const { page, context, problems } = await openPage(world.browser, loop.origin, {});
  try {
    await page.goto(`${loop.origin}/#/run`);
    await page.getByText('learning', { exact: true }).waitFor();
    await page.getByRole('progressbar').waitFor();
    await page.locator('.iterations tbody tr').nth(1).waitFor();
    const before = Number(await page.locator('.iterations tbody tr button').first().textContent());
    await page.waitForFunction((count) => Number(document.querySelector('.iterations tbody tr button')?.textContent) > count, before);
    await page.locator('.live [data-cell]').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Replay iteration 1', exact: true }).click();
    await page.getByRole('button', { name: 'Last position' }).click();
    await page.locator('.replay .stone').first().waitFor();
    assert.match(page.url(), /#\/run\/1$/);
    await page.goto(`${loop.origin}/#/play/connect_four`);
    await page.getByText(/against champion of watched/).waitFor();
    await loop.stop();
    await page.goto('about:blank');
    assert.deepEqual(problems.filter((problem) => !problem.includes('about:blank')), []);
  } finally {
    await context.close();
    await loop.stop();
  }
}

/** A thousand iterations: all are there, any can be reached, and the page answers at once. */
export async function thousandIterations(world) {
  const server = await startMilton(world.milton, ['serve', '--run', world.longRun, '--port', '0'], world.folder);
  const { page, context, problems } = await openPage(world.browser, server.origin, {});
  try {
    await page.goto(`${server.origin}/#/run`);
    await page.locator('.iterations tbody tr button', { hasText: '1000' }).waitFor();
    assert.match(await page.locator('.chart[aria-label^="Arena results"]').getAttribute('aria-label'), /of 1000 iterations/);
    assert.ok((await page.locator('.iterations tbody tr').count()) <= 15, 'the table draws more than a page of rows');
    await page.getByRole('button', { name: 'Older iterations' }).click();
    await page.locator('.iterations tbody tr button', { hasText: '985' }).waitFor();
    await page.getByRole('spinbutton', { name: 'Iteration' }).fill('500');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/run\/500$/);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.stop();
  }
}
