/// <reference types="vite/client" />

/** Which engine this build carries: the server that handed it out, or the WebAssembly core. */
declare const __ENGINE__: 'server' | 'wasm';
