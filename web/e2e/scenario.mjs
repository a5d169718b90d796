// What scenarios share: a page that is checked when it closes, sizes of screens, the start of a game.

import assert from 'node:assert/strict';
import { violationsOf } from './axe.mjs';
import { openPage } from './browser.mjs';
import { waitForTurn } from './moves.mjs';

// Every pixel of the solid board is drawn by the processor here.
export const SMALL = { viewport: { width: 400, height: 620 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export async function withPage(world, options, work) {
  const { page, context, problems } = await openPage(world.browser, world.origin, options);
  try {
    await work(page);
    assert.deepEqual(problems, []);
  } catch (error) {
    const picture = `${world.folder}/${world.name}.png`;
    const isTaken = await page.screenshot({ path: picture }).then(
      () => true,
      () => false,
    );
    if (isTaken) error.stack = `${error.stack}\nits picture: ${picture}`;
    throw error;
  } finally {
    await context.close();
  }
}

export async function startGame(page, world, game, { level = '1', side = 0, origin = world.origin } = {}) {
  await page.goto(`${origin}/#/play/${game}`);
  await page.getByRole('button', { name: 'New game' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Level' }).selectOption(level);
  if (side === 1) await dialog.getByRole('radiogroup', { name: 'You play' }).locator('label').nth(1).click();
  await beginGame(page, dialog);
}

/** Picks one of several by its label: a click on the radio button under it may miss while the page still moves. */
export async function pick(within, name) {
  const page = 'page' in within ? within.page() : within;
  await within.locator('label', { has: page.getByRole('radio', { name, exact: true }) }).click();
  await within.getByRole('radio', { name, exact: true, checked: true }).waitFor({ state: 'attached' });
}

/** The dialog goes when the new game is there; before, the page still tells of the old one. */
export async function beginGame(page, dialog) {
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.waitFor({ state: 'detached' });
  await waitForTurn(page);
}

/** Searches the start of chess and walks in the tree of that search. */
export async function lookInside(page, origin) {
  await page.goto(`${origin}/#/analyse/chess`);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.locator('.candidates button.candidate').first().waitFor();
  await page.getByRole('button', { name: 'Inside the search' }).click();
  const tree = page.getByRole('treegrid', { name: 'Search tree' });
  const replies = tree.locator('tr[aria-level="2"]');
  // A row may change places under the mouse while the search goes on.
  const first = tree.locator('tr[aria-expanded]').first();
  await first.waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await first.locator('.tree-toggle').click();
  await replies.first().waitFor();
  assert.deepEqual(await violationsOf(page), []);
  const visits = await first.locator('td').nth(1).textContent();
  assert.match(visits, /^[\d.]+( k| M)?$/);
  // Keys: down to a reply, open it, back to its parent, close that.
  await first.focus();
  await page.getByText('Preview', { exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-level') === '2');
  await page.keyboard.press('ArrowRight');
  await tree.locator('tr[aria-level="3"]').first().waitFor();
  await page.keyboard.press('ArrowLeft');
  await tree.locator('tr[aria-level="3"]').first().waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-level') === '1');
  await page.keyboard.press('ArrowLeft');
  await replies.first().waitFor({ state: 'detached' });
  // None of it moved in the study; Enter does.
  assert.equal(await page.locator('.move-tree').count(), 0);
  await page.keyboard.press('Enter');
  // On a narrow page the moves are a section of their own, which is not shown now.
  await page.locator('.move-tree').waitFor({ state: 'attached' });
}
