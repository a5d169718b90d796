// Plays the new game on its page: a person's move on the board, and the network's answer.

import assert from 'node:assert/strict';
import { launch, openPage } from '../../web/e2e/browser.mjs';
import { storedMoves, waitForTurn } from '../../web/e2e/moves.mjs';
import { startMilton, stopAll } from '../../web/e2e/servers.mjs';

const { milton, run, folder } = JSON.parse(process.argv[2]);
const browser = await launch();
try {
  const { origin } = await startMilton(milton, ['serve', '--port', '0', '--run', run], folder);
  const { page, problems } = await openPage(browser, origin);
  await page.goto(`${origin}/#/play/nim`);
  const board = page.locator('.board-of.of-nim');
  await board.getByText('21').waitFor();
  await board.getByRole('button', { name: '2', exact: true }).click();
  await waitForTurn(page);
  const moves = await storedMoves(page, 'nim');
  assert.equal(moves[0], '2');
  assert.ok(['1', '2', '3'].includes(moves[1]), `the network played ${moves[1]}`);
  await board.getByText(String(21 - moves.reduce((sum, move) => sum + Number(move), 0))).waitFor();
  assert.deepEqual(problems, []);
} finally {
  await browser.close();
  await stopAll();
}
