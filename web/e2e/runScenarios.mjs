// Watching runs: one that learns while the page looks, and one with a thousand iterations.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { violationsOf } from './axe.mjs';
import { openPage } from './browser.mjs';
import { PHONE, pick } from './scenario.mjs';
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
    await nextIteration(page);
    await page.locator('.live [data-cell]').first().waitFor({ state: 'attached' });
    await watchCoach(page);
    // By its number: the table shows the newest iterations, and the loop goes on.
    await page.getByRole('spinbutton', { name: 'Iteration' }).fill('1');
    await nextIteration(page); // which must not overwrite what was typed
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/run\/1$/);
    await page.getByRole('button', { name: 'Last position' }).click();
    await page.locator('.replay .stone').first().waitFor();
    await page.getByRole('link', { name: 'Review this game' }).click();
    await page.locator('.review-curve').waitFor();
    await page.goto(`${loop.origin}/#/play/connect_four`);
    await page.getByText(/against champion of watched/).waitFor();
    // One position, seen by the network of every iteration.
    await page.goto(`${loop.origin}/#/analyse/connect_four?moves=d.d`);
    await page.getByRole('button', { name: /Ask \d+ networks/ }).click();
    await page.locator('.learnt .chart[aria-label^="Value of the position by"]').waitFor();
    await loop.stop();
    await page.goto('about:blank');
    assert.deepEqual(
      problems.filter((problem) => !problem.includes('about:blank')),
      [],
    );
  } finally {
    await context.close();
    await loop.stop();
  }
}

/** Waits until the table has an iteration that it did not have. */
async function nextIteration(page) {
  const before = Number(await page.locator('.iterations tbody tr button').first().textContent());
  await page.waitForFunction(
    (count) => Number(document.querySelector('.iterations tbody tr button')?.textContent) > count,
    before,
  );
}

/** The report on the page gives way to the next one by itself. */
async function watchCoach(page) {
  const later = (known) =>
    page.waitForFunction((before) => {
      const found = Number(
        /iteration (\d+) ·/.exec(document.querySelector('.coach header')?.textContent ?? '')?.[1] ?? 0,
      );
      return found > before ? found : null;
    }, known);
  await later(await (await later(0)).jsonValue());
}

/** A thousand iterations: all are there, any can be reached, and the page answers at once. */
export async function thousandIterations(world) {
  const server = await startMilton(world.milton, ['serve', '--run', world.longRun, '--port', '0'], world.folder);
  const { page, context, problems } = await openPage(world.browser, server.origin, {});
  try {
    await page.goto(`${server.origin}/#/run`);
    await page.locator('.iterations tbody tr button', { hasText: '1000' }).waitFor();
    assert.match(
      await page.locator('.chart[aria-label^="Arena results"]').getAttribute('aria-label'),
      /of 1000 iterations/,
    );
    assert.ok((await page.locator('.iterations tbody tr').count()) <= 15, 'the table draws more than a page of rows');
    // Charts tell their newest values before anybody points at them.
    await page.locator('.u-legend .u-series', { hasText: /Measured\s*\+\d+/ }).waitFor();
    await page.locator('.u-legend .u-series', { hasText: /Won\s*\d+ %/ }).waitFor();
    // What was measured when, and what is estimated since.
    await page.getByText(/, iteration 1000$/).waitFor();
    await page.getByText('Last game').or(page.getByText('A game of the loop')).first().waitFor();
    await page
      .getByRole('region', { name: 'Losses' })
      .or(page.locator('.diagnostic', { hasText: 'Losses' }))
      .first()
      .waitFor();
    await pick(page, 'Positions');
    await page.getByRole('combobox', { name: 'Smoothing' }).selectOption('20');
    const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    assert.match(
      readFileSync(await csv.path(), 'utf8'),
      /^iteration,positions,hours,Losses: Policy,"Losses: Policy, hold-out",/,
    );
    await zoomInAndOut(page);
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

/** Dragging over a chart zooms in, and a button shows the way back. */
async function zoomInAndOut(page) {
  const chart = page.locator('.chart-frame').first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.locator('.u-over').boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await chart.getByRole('button', { name: 'Whole range' }).click();
  await chart.getByRole('button', { name: 'Whole range' }).waitFor({ state: 'detached' });
}

/** Two runs of one folder: listed, laid over each other, settings compared. */
export async function runsSideBySide(world) {
  const folder = mkdtempSync(`${world.folder}/runs-`);
  for (const name of ['first', 'second']) cpSync(world.longRun, `${folder}/${name}`, { recursive: true });
  const settings = `${folder}/second/milton.toml`;
  writeFileSync(settings, readFileSync(settings, 'utf8').replace(/^batch_size = .*$/m, 'batch_size = 48'));
  const server = await startMilton(world.milton, ['serve', '--run', `${folder}/first`, '--port', '0'], world.folder);
  const { page, context, problems } = await openPage(world.browser, server.origin, {});
  try {
    await page.goto(`${server.origin}/#/run`);
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.getByRole('checkbox', { name: 'Compare second' }).waitFor();
    await page
      .locator('.chart[aria-label="elo of first, second"], .chart[aria-label="elo of second, first"]')
      .waitFor();
    await page.getByRole('cell', { name: '48', exact: true }).waitFor();
    // On a phone each setting is a card with the values of all runs.
    await page.setViewportSize(PHONE.viewport);
    for (const name of ['Curves', 'Settings']) {
      await pick(page, name);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height < 4_000, `${name} is ${height} pixels high`);
    }
    const value = await page.locator('td[data-label="second"]', { hasText: '48' }).first().boundingBox();
    assert.ok(value.x + value.width <= PHONE.viewport.width, 'the settings of the second run are cut off');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('checkbox', { name: 'Compare second' }).uncheck();
    await page.locator('.chart[aria-label="elo of first"]').waitFor();
    await pick(page, 'All');
    await page.getByRole('row', { name: /^train\.learning_rate / }).waitFor();
    // One server shows every run: by its name in the address, with its own rows and games.
    await page.getByRole('link', { name: 'second', exact: true }).click();
    await page.waitForURL(/#\/run\?run=second$/);
    await page.getByRole('heading', { name: 'second', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replay iteration 1000', exact: true }).click();
    await page.waitForURL(/#\/run\/1000\?run=second$/);
    await page.getByRole('link', { name: 'The run that is served' }).click();
    await page.getByRole('heading', { name: 'first', exact: true }).waitFor();
    await page.goto(`${server.origin}/#/run?run=nowhere`);
    await page.getByText("There is no run 'nowhere'").waitFor();
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.stop();
  }
}

/** What the bot writes once a second; replaced in one step, as the bot does. */
function writeState(folder, games) {
  const state = {
    at: Date.now() / 1000 + 3600, // the test may take longer than a bot may be silent
    is_online: true,
    account: 'milton',
    site: 'https://lichess.org',
    network: 'iter_0003',
    figures: { num_reconnects: 2 },
    games,
    messages: [{ at: Date.now() / 1000, text: 'game x failed: <img src=x onerror=alert(1)>' }],
  };
  writeFileSync(`${folder}/now.part`, JSON.stringify(state));
  renameSync(`${folder}/now.part`, `${folder}/now.json`);
}

const runningGame = (id, moves) => ({
  id,
  opponent: 'rival',
  opponent_rating: 1700,
  opponent_is_bot: false,
  colour: 'white',
  rated: true,
  time_control: '60+0',
  start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  moves,
  clocks_s: [55, 60],
  is_thinking: true,
  value_white: 0.1,
  mate_in_white: null,
});

/** The bot's own files as a scoreboard; a game of it leads to its review. */
export async function botScoreboard(world) {
  const folder = mkdtempSync(`${world.folder}/bot-`);
  const began = Date.now() / 1000 - 3600;
  const game = (index, result) => ({
    id: `game000${index}`,
    opponent: index % 2 ? 'somebot' : 'somebody',
    opponent_is_bot: index % 2 === 1,
    colour: 'white',
    rated: true,
    time_control: '180+2',
    status: 'mate',
    result,
    num_plies: 5,
    network: index < 2 ? 'iter_0001' : 'iter_0003',
    ended_at: began + 60 * index,
    speed: 'blitz',
    rating: 1500 + 10 * index,
    opponent_rating: 1600,
  });
  writeFileSync(
    `${folder}/games.jsonl`,
    ['1-0', '0-1', '1/2-1/2', '1-0'].map((result, index) => `${JSON.stringify(game(index, result))}\n`).join(''),
  );
  writeFileSync(`${folder}/swaps.jsonl`, `${JSON.stringify({ at: began + 90, network: 'iter_0003' })}\n`);
  writeState(folder, [runningGame('live0001', ['e2e4', 'e7e5']), runningGame('live0002', ['d2d4'])]);
  writeFileSync(
    `${folder}/2026-01-01_game0003.pgn`,
    '[White "milton"]\n[Black "somebot"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n',
  );
  const server = await startMilton(world.milton, ['serve', '--bot', folder, '--port', '0'], world.folder);
  const { page, context, problems } = await openPage(world.browser, server.origin, {});
  try {
    // Whoever watches a bot alone has no run, and finds it all the same.
    await page.goto(`${server.origin}/#/run`);
    await page.getByRole('link', { name: 'Lichess bot' }).click();
    await page.getByRole('row', { name: 'All games 2 1 1 63 %' }).waitFor();
    await page.getByRole('row', { name: '3+2 2 1 1 63 %' }).waitFor();
    await page.getByText('iter_0003 from game 3').waitFor();
    await page.getByRole('heading', { name: '2 games under way' }).waitFor();
    assert.equal(await page.getByRole('timer').count(), 4);
    await page.getByText('iter_0003 before game 3').waitFor();
    await page.locator('.chart[aria-label^="Ratings over 4 games: blitz 1530; 1 changes"]').waitFor();
    await page.getByText('lost connections 2').waitFor();
    await page.locator('.bot-games .chess [role="grid"]').nth(1).waitFor({ state: 'attached' });
    // A game that ends leaves, by itself.
    writeState(folder, [runningGame('live0002', ['d2d4', 'd7d5'])]);
    await page.getByRole('heading', { name: 'One game under way' }).waitFor();
    assert.equal(
      await page.getByRole('link', { name: 'Lichess', exact: true }).first().getAttribute('href'),
      'https://lichess.org/game0003',
    );
    assert.deepEqual(await violationsOf(page), []);
    // On a phone it has sections, and every game is a card with its opponent as title.
    await page.setViewportSize(PHONE.viewport);
    await pick(page, 'Games');
    const opponent = await page.locator('.as-cards tbody th').first().boundingBox();
    assert.ok(opponent.height < 60, `the opponent's name is ${opponent.height} pixels high`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    // A bot that says nothing of the present: the section about it is not empty.
    unlinkSync(`${folder}/now.json`);
    await pick(page, 'Now');
    await page.getByText('What it has played is kept on this page.').waitFor();
    await pick(page, 'Games');
    await page.getByRole('button', { name: 'Review the game with somebot' }).first().click();
    await page.locator('.review-item', { hasText: 'Ke7??' }).waitFor();
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.stop();
  }
}

/** What the coach says: of the newest iteration, of the one that is looked at; hostile words stay words. */
export async function coachReports(world) {
  const server = await startMilton(world.milton, ['serve', '--run', world.longRun, '--port', '0'], world.folder);
  const { page, context, problems } = await openPage(world.browser, server.origin, {
    viewport: { width: 390, height: 844 },
    isMobile: true,
  });
  const panel = page.locator('.coach');
  try {
    await page.goto(`${server.origin}/#/run`);
    // A phone shows one section at a time, and none is a long scroll.
    const choose = (name) => pick(page, name);
    for (const name of ['Strength', 'Learning', 'Table', 'Now']) {
      await choose(name);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height < 4_000, `${name} is ${height} pixels high`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    }
    assert.deepEqual(await violationsOf(page), []);
    await choose('Coach');
    await panel.getByText('iteration 1000 ·').waitFor();
    assert.equal(await panel.locator('li').count(), 3);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    assert.equal(await panel.locator('img, script, a, iframe').count(), 0);
    const words = await panel.innerText();
    assert.match(words, /<img src=x onerror=/);
    assert.match(words, /ignore all rules/);
    assert.doesNotMatch(words, /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u001b\0]/);
    for (const text of await panel.locator('p').allInnerTexts())
      assert.ok(text.length < 300, `${text.length} letters in one place`);
    await panel.getByRole('button', { name: 'more' }).click();
    await panel.getByText('W'.repeat(600)).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    await page.goto(`${server.origin}/#/run/990`);
    await panel.getByText('iteration 990 ·').waitFor();
    assert.equal(await panel.getByText('useless', { exact: true }).count(), 1);
    assert.equal(
      await panel.getByRole('meter', { name: 'Severity of tactical awareness' }).first().getAttribute('aria-valuenow'),
      '50',
    );
    await panel.getByText('10 % of positions').waitFor();
    await page.goto(`${server.origin}/#/run/995`);
    await panel.getByText('Iteration 995 was weighed by the report of iteration 990.').waitFor();
    await page.goto(`${server.origin}/#/run/500`);
    await panel.getByText('Training went on without weights.').waitFor();
    await panel.getByText('no answer within 120 s').waitFor();
    await page.goto(`${server.origin}/#/run/3`);
    await panel.getByText('No report weighed iteration 3').waitFor();
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.stop();
  }
}
