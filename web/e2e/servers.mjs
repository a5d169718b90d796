// Starts the programs under test and ends exactly those. Every wait is for a line that the program prints.

import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const running = new Set();
const PATIENCE_MS = 30_000; // with a program that was asked to end

/** Starts `milton …` and resolves with its address once it says where it serves. */
export async function startMilton(milton, args, cwd, env = {}) {
  const options = { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] };
  const child = spawn(milton[0], [...milton.slice(1), ...args], options);
  running.add(child);
  let output = '';
  const origin = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (found !== null) resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`milton ${args.join(' ')} ended with ${code}:\n${output}`)));
  });
  await answering(origin, child, () => output);
  return { origin, port: Number(new URL(origin).port), stop: () => stop(child) };
}

/** The address is printed when it is bound, a moment before anybody answers there. */
async function answering(origin, child, output) {
  while (!hasEnded(child)) {
    const answer = await fetch(`${origin}/api/info`).catch(() => null);
    if (answer?.ok || answer?.status === 401) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`milton at ${origin} ended before it answered:\n${output()}`);
}

/** By itself, or by a signal: then it has no exit code. */
function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

function stop(child) {
  running.delete(child);
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((resolve) => {
    const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('exit', () => {
      clearTimeout(impatience);
      resolve();
    });
    child.kill('SIGINT');
  });
}

export function stopAll() {
  return Promise.all([...running].map(stop));
}

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
};

/** Any file server: hands out a folder below a path. Of a `held` file it sends half, and the rest when `until` is kept. */
export async function serveFiles(folder, path, held = null) {
  const server = createServer((request, response) => {
    const asked = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const rest = asked.startsWith(path) ? asked.slice(path.length) : null;
    const file = rest === null ? null : join(folder, rest === '' ? 'index.html' : rest);
    if (file === null || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    if (rest !== held?.file) {
      createReadStream(file).pipe(response);
      return;
    }
    const half = Math.floor(statSync(file).size / 2);
    createReadStream(file, { end: half - 1 }).pipe(response, { end: false });
    void held.until.then(() => createReadStream(file, { start: half }).pipe(response));
  });
  return listening(server);
}

/** A language model on loopback that says `textOf(number)` about the worst move of each question, from 0. */
export async function startModel(textOf) {
  let number = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const content = JSON.stringify({ sentences: [{ number: 1, text: textOf(number) }] });
      number += 1;
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: '1', object: 'chat.completion', choices }));
    });
  });
  const { origin, stop } = await listening(server);
  return { address: `${origin}/v1`, stop };
}

async function listening(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
