// After `vite build --mode site`: writes the service worker with the list of the site's files, and with --compress a
// .gz and a .br beside every file that gets smaller by it, for servers that hand such files out.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const SITE = join(import.meta.dirname, '../dist');
const WORKER = 'sw.js';
/** Only for networks that few play with: fetched when they are, and kept then. */
const LARGE = /^assets\/ort-|\.onnx$/;
const COMPRESSED = /\.(gz|br)$/;
const MIN_GAIN = 0.9;
/** The highest quality takes ten times as long for a few percent. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 9 };

const paths = readdirSync(SITE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(SITE.length + 1))
  .filter((path) => path !== WORKER && !COMPRESSED.test(path) && !path.split('/').at(-1).startsWith('.'))
  .sort();
const files = paths.map((path) => [path, hashOf(readFileSync(join(SITE, path))), !LARGE.test(path)]);
const source = readFileSync(join(import.meta.dirname, 'service_worker.js'), 'utf8');
const version = hashOf(JSON.stringify(files) + source);
const head = `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files, null, 1)};\n`;
writeFileSync(join(SITE, WORKER), head + source);

if (process.argv.includes('--compress')) for (const path of [...paths, WORKER]) compress(join(SITE, path));

function hashOf(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

function compress(path) {
  const content = readFileSync(path);
  const packed = { gz: gzipSync(content, { level: 9 }), br: brotliCompressSync(content, { params: BROTLI }) };
  for (const [ending, bytes] of Object.entries(packed)) {
    if (bytes.length < MIN_GAIN * content.length) writeFileSync(`${path}.${ending}`, bytes);
  }
}
