// One real browser for the tests: Debian's chromium, with nothing of its own going to the network.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages are drawn by the processor, and WebGL too.
  '--disable-gpu',
  '--enable-unsafe-swiftshader',
];
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function chromiumPath() {
  return process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place)) ?? null;
}

export async function launch() {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('no chromium found; apt-get install chromium, or set CHROMIUM');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

/** A page that fails the test on script errors and on any request that leaves the given origin. */
export async function openPage(browser, origin, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    // A server that is gone is part of some tests, and the browser logs every refused connection.
    if (message.type() === 'error' && !/Failed to load resource|ERR_CONNECTION|net::/.test(message.text()))
      problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'))
      problems.push(`left home: ${url}`);
  });
  return { page, context, problems };
}
