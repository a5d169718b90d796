// Two builds of one app: `served` is handed out by `milton serve` and asks that server; `site` is a folder of files
// that carries its engine as WebAssembly. Both use relative addresses, so that either works under any path.
import { defineConfig } from 'vite';

const SERVER = process.env['MILTON_SERVER'] ?? 'http://127.0.0.1:8765';

/** What makes the site one that can be installed; the files lie in public-site. */
const INSTALLABLE = [
  { rel: 'manifest', href: './manifest.webmanifest' },
  { rel: 'apple-touch-icon', href: './apple-touch-icon.png' },
].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));

export default defineConfig(({ mode }) => {
  const isSite = mode === 'site';
  return {
    base: './',
    publicDir: isSite ? 'public-site' : 'public',
    plugins: isSite ? [{ name: 'installable', transformIndexHtml: () => INSTALLABLE }] : [],
    define: { __ENGINE__: JSON.stringify(isSite ? 'wasm' : 'server') },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es' },
    build: {
      outDir: isSite ? 'dist' : '../src/milton/webapi/static',
      emptyOutDir: true,
      target: 'es2022',
      // Data addresses would need a looser content policy, and small files cost nothing on loopback.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 900,
      reportCompressedSize: false,
    },
    // The glossary is read from docs.
    server: { host: '127.0.0.1', proxy: { '/api': SERVER }, fs: { allow: ['..'] } },
    test: { include: ['tests/**/*.test.ts', 'wasm/**/*.test.ts'], environment: 'node' },
  };
});
