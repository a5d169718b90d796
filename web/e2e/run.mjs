// Runs scenarios in one browser and prints a JSON line for each. Usage:
//   node e2e/run.mjs '{"milton": […], "folder": …, "longRun": …, "lab": …, "loop": […], "scenarios": […]}'

import { launch } from './browser.mjs';
import * as checks from './checks.mjs';
import * as runs from './runScenarios.mjs';
import * as plays from './scenarios.mjs';
import * as sites from './siteScenarios.mjs';
import * as studies from './studyScenarios.mjs';
import { startMilton, stopAll } from './servers.mjs';

const AT_ONCE = 3;
const SCENARIOS = { ...plays, ...studies, ...runs, ...checks, ...sites };

if (process.argv[2] === undefined) {
  console.log(JSON.stringify(Object.keys(SCENARIOS)));
} else {
  const task = JSON.parse(process.argv[2]);
  const server = await startMilton(task.milton, ['serve', '--port', '0'], task.folder);
  const browser = await launch();
  const world = { ...task, browser, origin: server.origin };
  const waiting = [...task.scenarios];
  const runOne = async (name) => {
    const started = performance.now();
    let outcome;
    try {
      const note = await SCENARIOS[name]({ ...world, name });
      outcome = note === undefined ? { state: 'passed' } : { state: 'skipped', text: note };
    } catch (error) {
      outcome = { state: 'failed', text: error.stack ?? String(error) };
    }
    console.log(JSON.stringify({ name, seconds: (performance.now() - started) / 1000, ...outcome }));
  };
  // Scenarios mostly wait, for servers and for the browser; each has a browser profile of its own.
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await runOne(name);
    }),
  );
  await browser.close();
  await stopAll();
}
