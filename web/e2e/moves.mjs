// Playing as a person does: by clicking on boards. Which moves are legal is read off the page or asked of the server.

export async function storedMoves(page, game) {
  return page.evaluate((name) => JSON.parse(localStorage.getItem(`milton.game.${name}`) ?? '{"moves":[]}').moves, game);
}

export async function waitForTurn(page) {
  await page.locator('.turn', { hasText: 'Your move' }).or(page.locator('.notice', { hasText: /You (won|lost)|Drawn/ })).first().waitFor();
}

export async function isOver(page) {
  return (await page.locator('.notice', { hasText: /You (won|lost)|Drawn/ }).count()) > 0;
}

/** A move that does not lose at once: random ones are mated before the tenth. */
export async function adviceFor(page, moves) {
  return page.evaluate(async (record) => {
    const body = JSON.stringify({ record, network: 'shipped', limits: { simulations: 100 } });
    const answer = await fetch('api/search', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return JSON.parse((await answer.text()).trim().split('\n').at(-1)).move;
  }, { game: 'chess', start: null, moves });
}

/** Clicks the middle of a square of the chess board as it stands. */
export async function clickSquare(page, square, tap = false) {
  const box = await page.locator(`.chess [data-cell="${square}"]`).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  if (tap) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
}

export async function playChess(page, move, tap = false) {
  const before = (await storedMoves(page, 'chess')).length;
  await clickSquare(page, move.slice(0, 2), tap);
  await clickSquare(page, move.slice(2, 4), tap);
  if (move.length === 5) await page.getByRole('group', { name: 'Promote to' }).getByRole('button').first().click();
  await page.waitForFunction((count) => JSON.parse(localStorage.getItem('milton.game.chess')).moves.length > count, before);
  await waitForTurn(page);
}

/** A cell of the Santorini board that its description says may be chosen; the words are those of a screen reader. */
function openCell(page, words) {
  return page.locator(`.santorini [data-cell][aria-label*="${words}"]`);
}

/** Clicks where the camera shows a cell: on the canvas, as a pointer would. */
export async function clickCell(page, cell, tap = false) {
  const box = await page.locator(`.santorini [data-cell="${cell}"]`).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  if (tap) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
}

/** One turn of Santorini by clicks; `choose` picks among cells. */
export async function playSantorini(page, choose, tap = false) {
  const before = (await storedMoves(page, 'santorini')).length;
  const made = async () => (await storedMoves(page, 'santorini')).length > before;
  for (let click = 0; click < 3 && !(await made()); click += 1) {
    const open = openCell(page, 'can build here').or(openCell(page, 'can be chosen'));
    await open.first().waitFor({ state: 'attached' });
    const cells = await open.evaluateAll((buttons) => buttons.map((button) => button.dataset.cell));
    const hint = await page.locator('.board-hint').textContent();
    await clickCell(page, choose(cells), tap);
    // Either the move is made, or the page asks for the next part of it.
    await page.waitForFunction(
      ([count, words]) => JSON.parse(localStorage.getItem('milton.game.santorini')).moves.length > count || document.querySelector('.board-hint')?.textContent !== words,
      [before, hint],
    );
  }
  if (!(await made())) throw new Error('three clicks made no move');
  await waitForTurn(page);
}

/** Numbers that are the same in every run. */
export function makeRandom(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}
