// The Analyse page as a study: variations that stay, PGN with everything in it, lines that can be walked.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clickSquare, playChess, storedMoves } from './moves.mjs';
import { lookInside, PHONE, pick, startGame, withPage } from './scenario.mjs';
import { startMilton, startModel } from './servers.mjs';

const PGN = `[Event "Casual"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 { the gambit } exf4 $1 (2... d5 { Falkbeer } 3. exd5) 3. Bc4 1-0

[White "Second"]
[Black "Game"]

1. d4 d5 *
`;

async function paste(page, text) {
  await page.getByRole('textbox', { name: 'Position or game as text' }).fill(text);
  await page.getByRole('button', { name: 'Load' }).click();
}

/** The board follows the address when the engine has answered. */
const boardAt = (page, text) => page.locator('.position-text', { hasText: text }).waitFor();

const gamesOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('milton.study.chess') ?? '[]'));

/** Pointing at what the engine thought shows its line and leaves the game where it is. */
export async function pointingChangesNothing(world) {
  await withPage(world, {}, async (page) => {
    await startGame(page, world, 'chess', { level: '3' });
    await playChess(page, 'e2e4');
    const before = await storedMoves(page, 'chess');
    const isCurrent = () => page.getByText('Your move.').isVisible();
    const candidate = page.locator('.candidates button').first();
    await candidate.hover();
    await page.locator('.cg-wrap svg line').first().waitFor({ state: 'attached' });
    assert.ok(await isCurrent(), 'pointing left the game in an earlier position');
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => document.querySelectorAll('.cg-wrap svg line').length === 0);
    await candidate.focus();
    await candidate.press('Enter');
    await candidate.blur();
    assert.ok(await isCurrent());
    assert.deepEqual(await storedMoves(page, 'chess'), before);
    assert.equal(await page.getByText('You are looking at an earlier position').count(), 0);
    await playChess(page, 'd2d3');
    assert.equal((await storedMoves(page, 'chess')).length, before.length + 2);
  });
}

/** A PGN comes in with variations, comments, headers and all games; trying a move adds one; a reload keeps it all. */
export async function studyIsKept(world) {
  await withPage(world, {}, async (page) => {
    await page.goto(`${world.origin}/#/analyse/chess`);
    await paste(page, PGN);
    await page.locator('.variation', { hasText: 'Falkbeer' }).waitFor();
    await page.locator('.header-line', { hasText: 'Anderssen – Kieseritzky, 1-0' }).waitFor();
    await page
      .getByRole('combobox', { name: 'Game of the study' })
      .locator('option')
      .nth(1)
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Home');
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight');
    await page.waitForURL(/moves=e2e4\.e7e5$/);
    await boardAt(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w');
    await clickSquare(page, 'g1');
    await clickSquare(page, 'f3');
    await page.waitForURL(/moves=e2e4\.e7e5\.g1f3$/);
    await page.locator('.variation', { hasText: 'Nf3' }).waitFor();
    await page.getByRole('textbox', { name: 'Comment on Nf3' }).fill('my own idea');
    await page.getByRole('combobox', { name: 'Glyph' }).selectOption('5');
    await page.getByText('Nf3!?').waitFor();
    await page.reload();
    await page.locator('.move-comment', { hasText: 'my own idea' }).waitFor();
    assert.match(await page.locator('.move-tree [aria-current]').textContent(), /Nf3!\?/);
    const [first, second] = await gamesOf(page);
    assert.equal(first.children[0].children[0].children.length, 2);
    assert.equal(second.children[0].move, 'd2d4');
    await page.getByRole('button', { name: 'All 2 games' }).click();
    await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.includes('my own idea'));
    const text = await page.getByRole('textbox', { name: 'The game as text' }).inputValue();
    for (const part of ['[White "Anderssen"]', 'the gambit', 'Falkbeer', '2. Nf3 $5', '1. d4 d5'])
      assert.ok(text.includes(part), `${part} is not in ${text}`);
    await page.keyboard.press('Escape');
    // A whole game is taken out, and comes back.
    await page.getByRole('button', { name: /^Take “Anderssen .*” out/ }).click();
    await page.locator('.header-line', { hasText: 'Second – Game' }).waitFor();
    await page.getByRole('button', { name: /^Bring “Anderssen .*” back/ }).click();
    await page.locator('.move-comment', { hasText: 'my own idea' }).waitFor();
    // Another browser knows the line from the address alone, and deleting is the only way to lose a move.
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
    await page.goto(`${world.origin}/#/analyse/chess?moves=e2e4.c7c5.g1f3`);
    await page.getByText('3 / 3').waitFor();
    await page.getByRole('button', { name: 'Delete Nf3 and what follows' }).click();
    await page.getByText('2 / 2').waitFor();
    await page.getByRole('button', { name: 'Undo delete' }).click();
    await page.getByText('3 / 3').waitFor();
  });
}

/** Games without a PGN keep their variations, words and players in text and in the address, too. */
export async function studyOfAnotherGame(world) {
  await withPage(world, {}, async (page) => {
    await page.goto(`${world.origin}/#/analyse/connect_four`);
    await paste(page, 'd d e');
    await page.getByText('3 / 3').waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.locator('.four [data-cell="c4"]').click();
    await page.locator('.variation', { hasText: 'c' }).waitFor();
    await page.getByRole('textbox', { name: 'Comment on c' }).fill('my own idea');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('dialog textarea')?.value.includes('my own idea'));
    const line = await page.getByRole('textbox', { name: 'The game as text' }).inputValue();
    assert.deepEqual(JSON.parse(line).moves, ['d', 'd', 'e']);
    await page.keyboard.press('Escape');
    // Another browser reads all of it from a link, and every game of a text.
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
    await page.goto(`${world.origin}/#/analyse/connect_four?text=${encodeURIComponent(line)}`);
    await page.locator('.move-comment', { hasText: 'my own idea' }).waitFor();
    await page.getByRole('button', { name: 'Copy link', exact: true }).waitFor();
    const game = { game: 'connect_four', start: null, moves: ['a', 'b'], players: ['Ann', 'Bob'], winner: null };
    await paste(
      page,
      [game, { ...game, moves: ['g'] }, { ...game, moves: ['h'] }].map((each) => JSON.stringify(each)).join('\n'),
    );
    await page.locator('.header-line', { hasText: 'Ann – Bob' }).waitFor();
    await page.getByText(/^Game 3 was left out: /).waitFor();
    await page.getByRole('button', { name: 'All 3 games' }).waitFor();
  });
}

/** Lines are text that can be walked, arrows carry shares, mates have a distance, moves can be left out. */
export async function linesOfASearch(world) {
  await withPage(world, {}, async (page) => {
    const mate = '7k/5Q2/5K2/8/8/8/8/r7 b - - 0 1';
    await page.goto(`${world.origin}/#/analyse/chess?start=${encodeURIComponent(mate)}`);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    // Black to move: every number on the page is White's.
    await page.locator('.line-score').first().waitFor();
    await page.locator('.cg-wrap svg text').first().waitFor({ state: 'attached' });
    const best = page.locator('.lines li').first().getByRole('button').first();
    const move = (await best.textContent()).replace(/^\d+… /, '');
    await best.hover();
    await page.getByText('Preview', { exact: true }).waitFor();
    await page.mouse.move(5, 5);
    await page.getByText('Preview', { exact: true }).waitFor({ state: 'detached' });
    await pick(page, 'Policy');
    await page.locator('.cg-wrap svg text').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: `Leave out ${move}` }).click();
    await page.waitForFunction((left) => {
      const moves = [...document.querySelectorAll('.lines li')].map(
        (line) => line.querySelector('button')?.textContent ?? '',
      );
      return moves.length > 0 && moves.every((text) => !text.endsWith(` ${left}`));
    }, move);
    // A move that is left out is in no list; it comes back from where it is named.
    await page.getByRole('group', { name: 'Left out' }).getByRole('button', { name: move }).click();
    await page.getByRole('button', { name: `Leave out ${move}` }).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.goto(
      `${world.origin}/#/analyse/chess?start=${encodeURIComponent('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1')}`,
    );
    await page.getByText('6k1/5ppp/8/8/8/8/5PPP/R5K1 w').waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('.line-score', { hasText: '#1' }).waitFor();
    await page.locator('.lines button', { hasText: 'Ra8#' }).first().click();
    await page.locator('.move-tree', { hasText: 'Ra8#' }).waitFor();
  });
}

/** The tree of a search opens row by row, by mouse and by keyboard, while it grows and after it ended. */
export async function insideTheSearch(world) {
  // A server of its own: other pages that search with the same network may take an idle tree over.
  const server = await startMilton(world.milton, ['serve', '--port', '0'], world.folder);
  try {
    await withPage({ ...world, origin: server.origin }, {}, (page) => lookInside(page, server.origin));
  } finally {
    await server.stop();
  }
}

/** On a phone the board stays in sight, and a tap previews before a second one plays. */
export async function studyOnAPhone(world) {
  await withPage(world, PHONE, async (page) => {
    await page.goto(`${world.origin}/#/analyse/chess`);
    await page.getByRole('button', { name: 'Search', exact: true }).tap();
    await page.locator('.candidates button.candidate').first().waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).tap();
    const overhang = await page.locator('.candidates').evaluate((table) => {
      return table.getBoundingClientRect().right - table.parentElement.getBoundingClientRect().right;
    });
    assert.ok(overhang <= 0, `the candidates hang ${overhang} pixels out of their panel`);
    const candidate = page.locator('.candidates button.candidate').first();
    await candidate.scrollIntoViewIfNeeded();
    await candidate.tap();
    await page.locator('.cg-wrap svg line').first().waitFor({ state: 'attached' });
    assert.equal(await page.locator('.move-tree').count(), 0);
    const top = await page.locator('.board-hold').evaluate((board) => board.getBoundingClientRect().top);
    assert.ok(top >= 0, 'the board has left the screen');
    await candidate.tap();
    await page.locator('.board-column').getByText('1 / 1').waitFor();
    await pick(page, 'Moves');
    await page.locator('.move-tree button').first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  });
}

/** Reviews a fixed game; its one blunder in the list. */
async function reviewBlunder(page, origin) {
  await page.goto(`${origin}/#/analyse/chess`);
  await paste(page, '1. e4 e5 2. Qh5 Ke7 3. Qxe5#');
  await page.getByText('5 / 5').waitFor();
  await page.getByRole('combobox', { name: 'How long' }).selectOption('200');
  await page.getByRole('button', { name: 'Review this game' }).click();
  const blunder = page.locator('.review-item.blunder', { hasText: 'Ke7??' });
  await blunder.waitFor();
  return blunder;
}

/** A fixed game: the review names its blunder and what was better, and one tries again from there. */
export async function reviewOfAGame(world) {
  await withPage(world, {}, async (page) => {
    const blunder = await reviewBlunder(page, world.origin);
    await page.getByText('Searched by Monte Carlo tree search.').waitFor();
    assert.match(await blunder.textContent(), /Blunder: \d+ % of the expected score lost/);
    assert.ok((await page.locator('.review-curve .mark').count()) >= 1);
    await blunder.locator('.lines-inline button').first().hover();
    await page.getByText('Preview', { exact: true }).waitFor();
    await page.mouse.move(5, 5);
    await page.getByRole('button', { name: 'Write into the game' }).click();
    await page.locator('.move-tree button', { hasText: 'Ke7??' }).waitFor();
    await page.getByRole('button', { name: 'Try again before 2… Ke7' }).click();
    await page.getByText('You play Black').waitFor();
    await page.getByText('Your move.').waitFor();
    assert.match(page.url(), /#\/play\/chess$/);
    // A game that ends offers its review.
    await playChess(page, 'b8c6');
    await page.getByRole('button', { name: 'Resign', exact: true }).click();
    await page.getByRole('button', { name: 'Resign the game' }).click();
    await page.getByRole('link', { name: 'Review the game' }).click();
    await page.locator('.review-curve').waitFor();
    await page
      .getByText(/Milton .* – You, 1-0/)
      .first()
      .waitFor({ state: 'attached' });
  });
}

/** A language model words a review: its words stand beside the engine's figures, and inventions are left out. */
export async function wordsOfAModel(world) {
  const texts = ['The king walks into the queen’s reach.', 'Better was Qh4, which wins 99 pawns.'];
  const model = await startModel((number) => texts[Math.min(number, texts.length - 1)]);
  const home = join(world.folder, 'worded');
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, 'milton.toml'),
    `[coach]\nprovider = "parrot"\nmodel = "small"\nbase_url = "${model.address}"\n`,
  );
  const server = await startMilton(world.milton, ['serve', '--port', '0'], home, { MILTON_HOME: home });
  try {
    await withPage({ ...world, origin: server.origin }, {}, async (page) => {
      const blunder = await reviewBlunder(page, server.origin);
      assert.match(await blunder.textContent(), /It allows mate in 1\./);
      const better = await blunder.locator('.lines-inline').textContent();
      await page.getByRole('button', { name: 'Explain in words (parrot)' }).click();
      await blunder.getByText(texts[0]).waitFor();
      assert.match(await blunder.textContent(), /Blunder: \d+ % of the expected score lost/);
      assert.equal(await blunder.locator('.lines-inline').textContent(), better);
      await page.getByText('Words by parrot').waitFor();
      // Another review, other words: they name a move of their own, and the offline ones stay.
      await page.getByRole('button', { name: 'Review again' }).click();
      await page.getByRole('button', { name: 'Explain in words (parrot)' }).click();
      await page.getByText('Left out: 1 with').waitFor();
      assert.doesNotMatch(await page.locator('.mistakes').textContent(), /Qh4|99/);
    });
  } finally {
    await server.stop();
    await model.stop();
  }
}
