// Takes the pictures of README and docs, in ../docs/images: real pages of real servers, after real moves.
// Usage: node e2e/screenshots.mjs [RUN [NAME]]: a run folder with some history, or the address of a loop that runs; default: the newest run.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumPath, launch } from './browser.mjs';
import { adviceFor, isOver, playAdvisedSantorini, playChess, storedMoves, waitForTurn } from './moves.mjs';
import { startGame } from './scenario.mjs';
import { startMilton, stopAll } from './servers.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGES = join(ROOT, 'docs', 'images');
const DESKTOP = { viewport: { width: 1280, height: 860 } };
const PHONE = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const run = process.argv[2];
const server = run?.startsWith('http')
  ? { origin: run }
  : await startMilton(
      [join(ROOT, '.venv/bin/milton')],
      ['serve', '--port', '0', ...(run === undefined ? [] : ['--run', resolve(run)])],
      ROOT,
    );
const browser = await launch();

/** A board in three dimensions needs its canvas on the screen: drawn by ANGLE, which is slower than what pages need. */
function launchForBoards() {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
  });
}

mkdirSync(IMAGES, { recursive: true });

async function picture(name, options, colorScheme, work) {
  if (only !== undefined && !name.includes(only)) return;
  const drawing = name.startsWith('santorini') ? await launchForBoards() : browser;
  const context = await drawing.newContext({ colorScheme, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await work(page);
  await page.evaluate(() => document.activeElement?.blur());
  await page.mouse.move(1, 1);
  await page.waitForTimeout(800);
  const png = await page.screenshot();
  await context.close();
  if (drawing !== browser) await drawing.close();
  writeFileSync(join(IMAGES, `${name}.webp`), await asWebp(png));
  console.log(`docs/images/${name}.webp`);
}

/** A tenth of the size, and no difference to see on a page. The browser has the encoder. */
async function asWebp(png) {
  const page = await browser.newPage();
  const text = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.82);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.close();
  return Buffer.from(text.split(',')[1], 'base64');
}

const open = (page, hash) => page.goto(`${server.origin}/#/${hash}`);

async function chessGame(page, numMoves) {
  // A level that searches more than one position, so that there is something to see in its view.
  await startGame(page, server, 'chess', { level: '6' });
  for (let number = 0; number < numMoves; number += 1)
    await playChess(page, await adviceFor(page, 'chess', await storedMoves(page, 'chess')));
  await page.evaluate(() => scrollTo(0, 0));
}

async function santoriniGame(page, numTurns) {
  await open(page, 'play/santorini');
  await waitForTurn(page);
  for (let turn = 0; turn < numTurns && !(await isOver(page)); turn += 1) await playAdvisedSantorini(page);
  await page.evaluate(() => scrollTo(0, 0));
}

async function runPage(page) {
  await open(page, 'run');
  await page.locator('.iterations tbody tr').first().waitFor();
  await page.locator('.replay [data-cell]').first().waitFor({ state: 'attached' });
}

async function analysePage(page) {
  await open(
    page,
    `analyse/chess?text=${encodeURIComponent('r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4')}`,
  );
  await page.getByRole('button', { name: 'Compare two networks' }).click();
  await page.getByRole('combobox', { name: 'Network' }).nth(1).selectOption('uniform');
  for (const name of ['Search', 'Search']) await page.getByRole('button', { name, exact: true }).first().click();
  await page.waitForTimeout(6_000);
  for (const name of ['Stop', 'Stop']) await page.getByRole('button', { name, exact: true }).first().click();
}

/** Inside the search: the most visited line, opened three moves deep. */
async function treePage(page) {
  await open(page, 'analyse/chess?moves=e2e4.e7e5.g1f3');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.locator('.candidates button.candidate').first().waitFor();
  await page.getByRole('button', { name: 'Inside the search' }).click();
  await page.locator('.search-tree tbody tr').first().waitFor();
  await page.waitForTimeout(5_000);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  for (const level of [1, 2]) {
    const row = page.locator(`.search-tree tr[aria-level="${level}"][aria-expanded]`).first();
    await row.locator('.tree-toggle').click();
    await page
      .locator(`.search-tree tr[aria-level="${level + 1}"]`)
      .first()
      .waitFor();
  }
  await page
    .locator('.search-tree')
    .evaluate((tree) => scrollTo(0, tree.getBoundingClientRect().top + scrollY - innerHeight / 3));
}

const only = process.argv[3];
const tall = { viewport: { width: 1280, height: 1480 } };
await picture('run-light', tall, 'light', runPage);
await picture('run-dark', tall, 'dark', runPage);
await picture('chess-light', DESKTOP, 'light', (page) => chessGame(page, 6));
await picture('santorini-light', DESKTOP, 'light', (page) => santoriniGame(page, 9));
await picture('santorini-phone', PHONE, 'dark', (page) => santoriniGame(page, 7));
await picture('analyse-dark', { viewport: { width: 1280, height: 1000 } }, 'dark', analysePage);
await picture('analyse-tree-light', DESKTOP, 'light', treePage);
await browser.close();
await stopAll();
