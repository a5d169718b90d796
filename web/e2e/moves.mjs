// Playing as a person does: by clicking on boards. Which moves are legal is read off the page or asked of the server.

export async function storedMoves(page, game) {
  return page.evaluate((name) => JSON.parse(localStorage.getItem(`milton.game.${name}`) ?? '{"moves":[]}').moves, game);
}

/** Waits until the page has taken in every move and says that it is the person's turn, or that the game is over. */
export async function waitForTurn(page) {
  await page.waitForFunction(() => {
    if (/You (won|lost)|Drawn/.test(document.querySelector('.side-column .notice')?.textContent ?? '')) return true;
    const game = location.hash.split('/').at(-1);
    const { moves } = JSON.parse(localStorage.getItem(`milton.game.${game}`) ?? '{"moves":[]}');
    return (
      /Your move/.test(document.querySelector('.turn')?.textContent ?? '') &&
      document.querySelectorAll('.move-list li').length === moves.length
    );
  });
}

export async function isOver(page) {
  return (await page.locator('.notice', { hasText: /You (won|lost)|Drawn/ }).count()) > 0;
}

/** A move that does not lose at once: random ones are mated before the tenth. */
export async function adviceFor(page, game, moves) {
  return page.evaluate(
    async (record) => {
      const body = JSON.stringify({ record, network: 'shipped', limits: { simulations: 100 } });
      const answer = await fetch('api/search', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return JSON.parse((await answer.text()).trim().split('\n').at(-1)).move;
    },
    { game, start: null, moves },
  );
}

/** Where it is on the screen, clear of the bars at its edges. */
async function boxOf(cell) {
  await cell.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  return cell.boundingBox();
}

/** Clicks the middle of a square of the chess board as it stands. */
export async function clickSquare(page, square, tap = false) {
  const box = await boxOf(page.locator(`.chess [data-cell="${square}"]`));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  if (tap) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
}

export async function playChess(page, move, tap = false) {
  const before = (await storedMoves(page, 'chess')).length;
  await clickSquare(page, move.slice(0, 2), tap);
  await clickSquare(page, move.slice(2, 4), tap);
  if (move.length === 5) await page.getByRole('group', { name: 'Promote to' }).getByRole('button').first().click();
  await page.waitForFunction(
    (count) => (JSON.parse(localStorage.getItem('milton.game.chess') ?? 'null')?.moves.length ?? 0) > count,
    before,
  );
  await waitForTurn(page);
}

/** Clicks where the camera shows a cell: on the canvas, as a pointer would. */
export async function clickCell(page, cell, tap = false) {
  const box = await boxOf(page.locator(`.santorini [data-cell="${cell}"]`));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  if (tap) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
}

/** What the page says of the board, in the words of a screen reader; it changes with every choice and move. */
async function describeBoard(page) {
  return page
    .locator('.santorini [data-cell]')
    .evaluateAll((buttons) => buttons.map((button) => [button.dataset.cell, button.getAttribute('aria-label')]));
}

const CLICK_MS = 5_000; // what a click changes is seen within

/** One turn of Santorini by clicks; `choose` picks among the cells that the page offers. */
export async function playSantorini(page, choose, tap = false) {
  const before = (await storedMoves(page, 'santorini')).length;
  // A worker may stand before the cell that is meant, and is then taken instead: as for a person, another click helps.
  for (let click = 0; click < 12; click += 1) {
    await page.locator('.santorini [data-cell][aria-label*="can b"]').first().waitFor({ state: 'attached' });
    const cells = await describeBoard(page);
    await clickCell(
      page,
      choose(cells.filter(([, words]) => /can (build|be chosen)/.test(words)).map(([cell]) => cell)),
      tap,
    );
    // A click that hits nothing that can be chosen changes nothing: the next round clicks again.
    await page
      .waitForFunction(
        ([count, words]) =>
          (JSON.parse(localStorage.getItem('milton.game.santorini') ?? 'null')?.moves.length ?? 0) > count ||
          JSON.stringify(
            [...document.querySelectorAll('.santorini [data-cell]')].map((button) => [
              button.dataset.cell,
              button.getAttribute('aria-label'),
            ]),
          ) !== words,
        [before, JSON.stringify(cells)],
        { timeout: CLICK_MS },
      )
      .catch(() => undefined);
    if ((await storedMoves(page, 'santorini')).length > before) {
      await waitForTurn(page);
      return;
    }
  }
  throw new Error('twelve clicks made no move');
}

/** One turn of Santorini as a search would play it, by clicks. */
export async function playAdvisedSantorini(page) {
  const advised = (await adviceFor(page, 'santorini', await storedMoves(page, 'santorini'))).match(/../g);
  await playSantorini(page, (cells) => (cells.includes(advised[0]) ? advised.shift() : cells[0]));
}

/** Numbers that are the same in every run. */
export function makeRandom(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}
