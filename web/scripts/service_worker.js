// The service worker of the static site: keeps its files, so that a reload without a network works. `make site` puts
// the list of files before this text (scripts/site_files.mjs): VERSION, and FILES as [path, hash, isKeptAhead].
//
// A file is kept under its path and hash. A new version therefore fetches only what changed, and the old one stays
// whole until no page uses it.

const PREFIX = `milton ${self.registration.scope} `;
const CACHE = PREFIX + VERSION;
const keyOf = ([path, hash]) => new URL(`${path}?${hash}`, self.registration.scope).href;
const FILE_OF_ADDRESS = new Map(FILES.map((file) => [new URL(file[0], self.registration.scope).href, file]));
const INDEX = FILES.find(([path]) => path === 'index.html');

self.addEventListener('install', (event) => {
  event.waitUntil(keepAhead());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(
        names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
      );
      await self.clients.claim();
    })(),
  );
});

// Sent by a page whose person agreed to the new version.
self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const address = new URL(request.url);
  address.hash = '';
  address.search = '';
  const file = request.mode === 'navigate' ? pageAt(address) : FILE_OF_ADDRESS.get(address.href);
  if (file !== undefined) event.respondWith(kept(file).then(isolated));
});

/** The one page of the site has two addresses: the folder and index.html. */
function pageAt(address) {
  return address.href === self.registration.scope ? INDEX : FILE_OF_ADDRESS.get(address.href);
}

/** With the headers that let a page share memory between threads: most file servers do not send them. */
function isolated(response) {
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function keepAhead() {
  const cache = await caches.open(CACHE);
  await Promise.all(FILES.filter(([, , isKeptAhead]) => isKeptAhead).map((file) => keep(cache, file)));
}

/** From the cache, or fetched and kept. */
async function kept(file) {
  const cache = await caches.open(CACHE);
  return (await cache.match(keyOf(file))) ?? keep(cache, file);
}

async function keep(cache, file) {
  const key = keyOf(file);
  // An older version may have the same file.
  const found =
    (await caches.match(key)) ?? (await fetch(new URL(file[0], self.registration.scope), { cache: 'no-cache' }));
  if (found.ok) await cache.put(key, found.clone());
  else if (file[2]) throw new Error(`${file[0]}: the server answered ${found.status}`);
  return found;
}
