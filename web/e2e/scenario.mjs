// What scenarios share: a page that is checked when it closes, sizes of screens, the start of a game.

import assert from 'node:assert/strict';
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
  if (side === 1)
    await dialog.getByRole('radiogroup', { name: 'You play' }).getByRole('radio').nth(1).check({ force: true });
  await beginGame(page, dialog);
}

/** The dialog goes when the new game is there; before, the page still tells of the old one. */
export async function beginGame(page, dialog) {
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.waitFor({ state: 'detached' });
  await waitForTurn(page);
}
