// What a person does with the pages, one function each. A scenario fails by throwing.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import {
  adviceFor,
  clickCell,
  clickSquare,
  isOver,
  playAdvisedSantorini,
  playChess,
  playSantorini,
  storedMoves,
  waitForTurn,
} from './moves.mjs';
import { violationsOf } from './axe.mjs';
import { beginGame, PHONE, pick, SMALL, startGame, withPage } from './scenario.mjs';
import { startMilton } from './servers.mjs';

/** Methods of the lab: one that searches in its own way, and one that only answers. */
export async function labMethods(world) {
  const server = await startMilton(world.milton, ['serve', '--lab', world.lab, '--port', '0'], world.folder);
  const begin = async (page, name) => {
    await page.getByRole('button', { name: 'New game' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Opponent' }).selectOption(`method:${name}`);
    return dialog;
  };
  await withPage({ ...world, origin: server.origin }, {}, async (page) => {
    await page.goto(`${server.origin}/#/play/chess`);
    const searching = await begin(page, 'playouts');
    assert.equal(await searching.getByRole('radio', { name: 'Level' }).count(), 0);
    assert.ok(await searching.getByRole('radio', { name: 'Its own way' }).isChecked());
    await beginGame(page, searching);
    await page.getByText('against method: playouts (mcts), its own way').waitFor();
    await playChess(page, 'e2e4');
    await playChess(page, 'd2d3');
    assert.equal((await storedMoves(page, 'chess')).length, 4);
    await page.getByText('1,000 nodes').waitFor();
    assert.ok((await page.locator('.candidates tbody tr').count()) > 1);
    const answering = await begin(page, 'table');
    await answering.getByText('It answers at once').waitFor();
    assert.equal(await answering.getByRole('radiogroup', { name: 'How long it may think' }).count(), 0);
    await beginGame(page, answering);
    await playChess(page, 'e2e4');
    await page.getByText('no candidates to show').waitFor();
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.getByText(/It would play [a-h]/).waitFor();
    assert.equal(await page.locator('.candidates, .wdl-bar').count(), 0);
    await page.reload();
    await waitForTurn(page);
    await page.goto(`${server.origin}/#/analyse/chess`);
    const choices = page.getByRole('combobox', { name: 'Network' });
    await choices.locator('option[value="method:playouts"]').waitFor({ state: 'attached' });
    assert.equal(await choices.locator('option[value="method:table"]').count(), 0);
  });
  await server.stop();
}

/** Ten moves of chess by clicking; a reload after five goes on with the same game. */
export async function tenMovesOfChess(world) {
  await withPage(world, {}, async (page) => {
    // The weakest level can be mated before the tenth move.
    await startGame(page, world, 'chess', { level: '5' });
    for (let number = 0; number < 10; number += 1) {
      await playChess(page, await adviceFor(page, 'chess', await storedMoves(page, 'chess')));
      if (number === 4) {
        const before = await storedMoves(page, 'chess');
        await page.reload();
        await waitForTurn(page);
        assert.deepEqual(await storedMoves(page, 'chess'), before);
        assert.equal(await page.locator('.move-list li').count(), before.length);
      }
    }
    assert.equal((await storedMoves(page, 'chess')).length, 20);
    assert.match(await page.locator('.wdl-bar').getAttribute('aria-label'), /White wins \d+ %/);
    // One row is right where the opponent had one legal move, or searched so little that only one was visited.
    assert.ok((await page.locator('.candidates tbody tr').count()) > 0);
    await page.getByRole('button', { name: 'Offer draw' }).click();
    await page.getByText(/It declines the draw\.|Drawn: agreement\./).waitFor();
  });
}

/** Hint, take back, stepping, flip, export and resignation. */
export async function toolsOfAGame(world) {
  await withPage(world, {}, async (page) => {
    await startGame(page, world, 'chess');
    await playChess(page, 'e2e4');
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.getByRole('heading', { name: 'Hint' }).waitFor();
    // Drawn on the board without pointing at anything.
    await page.locator('.cg-wrap svg text').first().waitFor({ state: 'attached' });
    // Where a screen reader hears it.
    await page
      .getByRole('status')
      .filter({ hasText: /It played \S+\./ })
      .waitFor();
    await page.locator('.candidates button').first().hover();
    await page.locator('.cg-wrap svg.cg-shapes line, .cg-wrap svg line').first().waitFor({ state: 'attached' });
    await page.mouse.move(5, 5);
    await page.keyboard.press('ArrowLeft');
    await page.getByText('You are looking at an earlier position').waitFor();
    await page.getByRole('button', { name: 'Back to the game' }).click();
    await page.getByRole('button', { name: 'Flip' }).click();
    await page.locator('.cg-wrap.orientation-black').waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await waitForTurn(page);
    assert.deepEqual(await storedMoves(page, 'chess'), []);
    await playChess(page, 'd2d4');
    await page.getByRole('button', { name: 'Resign', exact: true }).click();
    await page.getByRole('button', { name: 'Resign the game' }).click();
    await page.getByText('You lost: resignation').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const text = page.getByRole('textbox', { name: 'The game as text' });
    await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.includes('1. d4'));
    assert.match(await text.inputValue(), /\[Result "0-1"\]/);
    assert.match(await text.inputValue(), /\[Date "20\d\d\.\d\d\.\d\d"\]/);
    await page.keyboard.press('Escape');
    // The game to review keeps its players and its result, which the moves do not tell.
    await page.getByRole('link', { name: 'Review the game' }).click();
    await page.getByText(/^You – Milton .* \(level 1\), 0-1$/).waitFor();
  });
}

/** A game from a position, a promotion on its square, a view that is hidden, and a second tab that keeps step. */
export async function fromAPosition(world) {
  await withPage(world, {}, async (page) => {
    await page.goto(`${world.origin}/#/play/chess`);
    await page.getByRole('button', { name: 'New game' }).click();
    const dialog = page.getByRole('dialog');
    const start = dialog.getByRole('textbox', { name: /Begin from a position/ });
    await start.fill('no position');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog.getByRole('alert').waitFor();
    await start.fill('8/P6k/8/8/8/8/7K/8 w - - 0 1');
    await dialog.getByRole('combobox', { name: 'Level' }).selectOption('1');
    await beginGame(page, dialog);
    const second = await page.context().newPage();
    await second.goto(`${world.origin}/#/play/chess`);
    await second.getByText('Your move.').waitFor();
    await clickSquare(page, 'a7');
    await clickSquare(page, 'a8');
    const choice = page.getByRole('group', { name: 'Promote to' });
    const [box, square] = [await choice.boundingBox(), await page.locator('.chess [data-cell="a8"]').boundingBox()];
    assert.ok(
      Math.abs(box.x - square.x) < 8 && Math.abs(box.y - square.y) < 8,
      'the choice does not stand on its square',
    );
    await choice.getByRole('button', { name: 'queen' }).click();
    await waitForTurn(page);
    assert.equal((await storedMoves(page, 'chess'))[0], 'a7a8q');
    await second.getByText('This game goes on in another tab.').waitFor();
    await second.waitForFunction(() => document.querySelectorAll('.move-list li').length === 2);
    await second.close();
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.getByText('Hidden while you play.').waitFor();
    assert.equal(await page.locator('.candidates').count(), 0);
  });
}

/** Two tabs show one game and one study, and either goes on with them. */
export async function twoTabs(world) {
  await withPage(world, {}, async (page) => {
    await startGame(page, world, 'chess');
    const second = await page.context().newPage();
    await second.goto(`${world.origin}/#/play/chess`);
    await waitForTurn(second);
    await playChess(page, 'e2e4');
    await second.getByText('This game goes on in another tab.').waitFor();
    await waitForTurn(second);
    await second.getByRole('button', { name: 'Play in this tab' }).click();
    await second.getByText('This game goes on in another tab.').waitFor({ state: 'detached' });
    await playChess(second, 'd2d3');
    await page.getByText('This game goes on in another tab.').waitFor();
    await waitForTurn(page);
    assert.equal(await page.locator('.move-list li').count(), 4);
    for (const tab of [page, second]) {
      await tab.goto(`${world.origin}/#/analyse/chess`);
      await tab.locator('.analyse .chess [role="grid"]').waitFor({ state: 'attached' });
    }
    await clickSquare(page, 'c2');
    await clickSquare(page, 'c4');
    await second.locator('.move-tree button', { hasText: 'c4' }).click();
    await clickSquare(second, 'e7');
    await clickSquare(second, 'e5');
    await page.locator('.move-tree button', { hasText: 'e5' }).waitFor();
    await second.close();
  });
}

/** A whole game of Santorini by clicking on the three-dimensional board. */
export async function fullGameOfSantorini(world) {
  await withPage(world, SMALL, async (page) => {
    await startGame(page, world, 'santorini');
    await page.locator('.solid canvas').waitFor();
    for (let turn = 0; turn < 60 && !(await isOver(page)); turn += 1) await playAdvisedSantorini(page);
    assert.ok(await isOver(page), 'the game did not end');
    assert.ok((await storedMoves(page, 'santorini')).length > 6);
  });
}

/** Rules on one screen, and a first game that is guided from the first worker on. */
export async function guidedFirstGame(world) {
  await withPage(world, SMALL, async (page) => {
    await page.goto(`${world.origin}/#/play/santorini`);
    await page.getByRole('button', { name: 'Rules' }).click();
    await page.getByText('Whoever steps from level two up to level three wins at once.').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Guided first game' }).click();
    await page.getByText('Place a worker: click a free cell.').waitFor();
    await page.getByRole('button', { name: 'Show flat' }).click();
    await playSantorini(page, (cells) => cells[12]);
    await playSantorini(page, (cells) => cells[5]);
    await page.getByText('Step with one worker, then build').waitFor();
    await page.getByRole('button', { name: 'End the guide' }).click();
    await page.getByRole('heading', { name: 'Guide' }).waitFor({ state: 'detached' });
  });
}

/** Santorini by keyboard alone, solid and flat. */
export async function santoriniByKeyboard(world) {
  await withPage(world, SMALL, async (page) => {
    await startGame(page, world, 'santorini');
    await page.locator('.santorini [data-cell][tabindex="0"]').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => (JSON.parse(localStorage.getItem('milton.game.santorini') ?? 'null')?.moves.length ?? 0) >= 1,
    );
    await waitForTurn(page);
    await page.locator('.santorini [data-cell][tabindex="0"]').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => (JSON.parse(localStorage.getItem('milton.game.santorini') ?? 'null')?.moves.length ?? 0) >= 4,
    );
    await waitForTurn(page);
    assert.deepEqual((await storedMoves(page, 'santorini')).slice(0, 2), ['c2', 'b1']);
    await page.getByRole('button', { name: 'Turn the board left' }).click();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Show flat' }).click();
    await page.locator('.santorini.is-flat .worker').first().waitFor();
    assert.equal(await page.locator('.santorini.is-flat .worker').count(), 4);
    await playSantorini(page, (cells) => cells[0]);
  });
}

/** Fingers on a phone: chess and Santorini, and nothing wider than the screen. */
export async function touchOnAPhone(world) {
  await withPage(world, PHONE, async (page) => {
    await startGame(page, world, 'chess');
    await playChess(page, 'e2e4', true);
    await startGame(page, world, 'santorini', { side: 1 });
    await playSantorini(page, (cells) => cells[0], true);
    await playSantorini(page, (cells) => cells.at(-1), true);
    assert.ok((await storedMoves(page, 'santorini')).length >= 4);
    for (const hash of ['run', 'play/chess', 'play/santorini', 'play/connect_four', 'analyse/chess']) {
      await page.goto(`${world.origin}/#/${hash}`);
      await page.locator('main :is(h1, .empty, .board-column)').first().waitFor({ state: 'attached' });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${hash} is ${overflow} pixels too wide`);
    }
  });
}

/** Connect Four, with a clock. */
export async function connectFourOnTheClock(world) {
  await withPage(world, {}, async (page) => {
    await page.goto(`${world.origin}/#/play/connect_four`);
    await page.getByRole('button', { name: 'New game' }).click();
    await pick(page, 'Clock');
    await beginGame(page, page.getByRole('dialog'));
    await page.locator('.four [data-cell="d4"]').click();
    await page.locator('.clock.running').waitFor();
    await waitForTurn(page);
    assert.equal((await storedMoves(page, 'connect_four'))[0], 'd');
    assert.equal(await page.getByRole('timer').count(), 2);
  });
}

/** Who searched is told: the tree for levels and nodes, alpha-beta for seconds, and either where one analyses. */
export async function algorithmIsNamed(world) {
  await withPage(world, {}, async (page) => {
    await startGame(page, world, 'chess', { level: '5' });
    await playChess(page, 'e2e4');
    await page.getByText('Searched by Monte Carlo tree search.').waitFor();
    await page.getByRole('button', { name: 'New game' }).click();
    const dialog = page.getByRole('dialog');
    await pick(dialog, 'Seconds');
    await dialog.getByRole('combobox', { name: 'Seconds' }).selectOption('0.5');
    await beginGame(page, dialog);
    await playChess(page, 'd2d4');
    await page.getByText(/Searched by alpha-beta, depth \d+\./).waitFor();
    await page.goto(`${world.origin}/#/analyse/chess`);
    await pick(page, 'Alpha-beta');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/nodes in .* · alpha-beta, depth \d+/).waitFor();
    await page.locator('.lines li').nth(1).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    // Nodes are no preference: arrows follow the order of the lines, and other moves have bounds alone.
    const candidates = page.locator('.candidates');
    await candidates.getByRole('columnheader', { name: 'Nodes' }).waitFor();
    const values = await candidates.locator('tbody td:nth-child(4)').allInnerTexts();
    assert.deepEqual(
      values.map((value) => value.startsWith('≤')),
      values.map((_, rank) => rank >= 3),
      values.join(', '),
    );
    assert.equal(await page.locator('.cg-wrap svg text').count(), 0);
  });
}

/** The server goes away in the middle of a game and comes back. */
export async function serverLostAndFound(world) {
  const server = await startMilton(world.milton, ['serve', '--port', '0'], world.folder);
  await withPage({ ...world, origin: server.origin }, {}, async (page) => {
    await startGame(page, world, 'chess', { origin: server.origin });
    await playChess(page, 'g1f3');
    await server.stop();
    const moves = await storedMoves(page, 'chess');
    await page.locator('.chess [data-cell="b1"]').focus();
    await page.keyboard.press('Enter');
    await page.locator('.chess [data-cell="c3"]').focus();
    await page.keyboard.press('Enter');
    await page.locator('.banner', { hasText: 'does not answer' }).waitFor();
    await page.getByRole('alert').first().waitFor();
    assert.equal((await storedMoves(page, 'chess')).length, moves.length + 1);
    const again = await startMilton(world.milton, ['serve', '--port', String(server.port)], world.folder);
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await page.locator('.banner').waitFor({ state: 'detached' });
    await page.waitForFunction(
      (count) => JSON.parse(localStorage.getItem('milton.game.chess')).moves.length >= count,
      moves.length + 2,
    );
    await waitForTurn(page);
    await again.stop();
  });
}

/** Without a run the page says how to start one, and shows it when somebody does. */
export async function noRunYet(world) {
  const folder = mkdtempSync(`${world.folder}/runless-`);
  const server = await startMilton(world.milton, ['serve', '--port', '0'], folder);
  await withPage({ ...world, origin: server.origin }, {}, async (page) => {
    await page.goto(`${server.origin}/#/run`);
    await page.getByRole('heading', { name: 'No run yet' }).waitFor();
    await page.getByText('milton loop').first().waitFor();
    await page.getByText('one that begins in the folder runs will be shown').waitFor();
    cpSync(world.longRun, `${folder}/made`, { recursive: true });
    mkdirSync(`${folder}/runs`);
    renameSync(`${folder}/made`, `${folder}/runs/fresh`);
    await page.getByRole('heading', { name: 'fresh', exact: true }).waitFor();
    await page.getByText('A run has appeared: fresh.').waitFor();
  });
  await server.stop();
}

/** Paste, be told kindly what is wrong, step, search, compare. */
export async function analysing(world) {
  await withPage(world, {}, async (page) => {
    await page.goto(`${world.origin}/#/analyse/chess`);
    const box = page.getByRole('textbox', { name: 'Position or game as text' });
    const load = page.getByRole('button', { name: 'Load' });
    await box.fill('rnbqkbnr/8/8 nonsense');
    await load.click();
    await page.getByRole('alert').waitFor();
    await box.fill('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6');
    await load.click();
    await page.locator('.move-tree button').nth(5).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('button', { name: 'One move back' }).click();
    await page.getByText('5 / 6').waitFor();
    await page.getByRole('button', { name: 'Compare two networks' }).click();
    await page.getByRole('combobox', { name: 'Network' }).nth(1).selectOption('uniform');
    // A search that runs calls its button Stop.
    for (const name of ['Search', 'Search']) await page.getByRole('button', { name, exact: true }).first().click();
    await page.waitForFunction(() => document.querySelectorAll('.analyse-panes .chart canvas').length === 2);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.analyse-panes [role=status]')].every((line) => /\d nodes/.test(line.textContent)),
    );
    for (const name of ['Stop', 'Stop']) await page.getByRole('button', { name, exact: true }).first().click();
    await page.goto(
      `${world.origin}/#/analyse/santorini?text=${encodeURIComponent('10000/11002/01100/01100/00100 b3e5 a4b2 1')}`,
    );
    await page.getByText('10000/11002/01100/01100/00100 b3e5 a4b2 1').last().waitFor();
    await page.locator('.solid canvas').waitFor();
    await clickCell(page, 'e5');
  });
}
