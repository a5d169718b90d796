// The worker's side of the conversation: asks the engine, answers the page. Knows messages, not rules.

import { EngineProblem, type Engine } from '../engine/types';
import { readWithProgress } from './download';
import { LocalEngine } from './local';
import type { Numbered, Port, Reply, Request } from './messages';
import type { ReadFile } from './networks';
import type { GameSearcher } from './searcher';
import type { SparseSetup } from './sparse';
import { ThreadSearcher, type Thread } from './thread';

interface SiteEngine extends Engine {
  firstNetwork(): Promise<void>;
}

type OpenEngine = (folder: string) => Promise<SiteEngine>;

export function serve(port: Port, open: OpenEngine): void {
  const searches = new Map<number, AbortController>();
  let engine: SiteEngine | null = null;

  const answer = async (request: Numbered<Request>): Promise<unknown> => {
    if (request.kind === 'open') {
      engine = await open(request.folder);
      return null;
    }
    if (engine === null) throw new Error('the engine was not opened');
    switch (request.kind) {
      case 'networks':
        return engine.networks(request.game);
      case 'firstNetwork':
        return engine.firstNetwork();
      case 'levels':
        return engine.levels(request.game);
      case 'position':
        return engine.position(request.record);
      case 'import':
        return engine.importGame(request.game, request.text);
      case 'export':
        return engine.exportGame(request.record, request.names, request.result, request.date);
      case 'search':
        return search(engine, request);
      case 'look':
        return engine.lookInside(request.record, request.network, request.path);
      case 'stop':
        throw new Error('a stop has no answer');
    }
  };

  const search = async (by: Engine, request: Numbered<Request & { kind: 'search' }>): Promise<unknown> => {
    const controller = new AbortController();
    searches.set(request.id, controller);
    try {
      const { record, network, limits, id } = request;
      const onProgress = (progress: object): void => send({ kind: 'progress', progress, id } as Numbered<Reply>);
      return await by.search(record, network, limits, onProgress, controller.signal);
    } finally {
      searches.delete(request.id);
    }
  };

  const send = (reply: Numbered<Reply>): void => port.postMessage(reply);

  port.onmessage = ({ data }) => {
    const request = data as Numbered<Request>;
    if (request.kind === 'stop') {
      searches.get(request.id)?.abort();
      return;
    }
    answer(request).then(
      (value) => send({ kind: 'answer', value, id: request.id }),
      (error: unknown) => send({ ...problemOf(error), id: request.id }),
    );
  };
}

/** An engine whose files lie in a folder on a server; alpha-beta runs in a worker that `spawn` starts. */
export function openFromFolder(folder: string, spawn: () => Thread, numThreads: number): Promise<SiteEngine> {
  const readFile: ReadFile = (name, onBytes) => readWithProgress(new URL(name, folder), onBytes);
  let threaded: Promise<WebAssembly.Module> | null = null;
  const openAlphaBeta = async (setup: SparseSetup): Promise<GameSearcher> => {
    if (numThreads === 1) return ThreadSearcher.open(spawn(), setup);
    threaded ??= readFile('milton-threads.wasm').then((code) => WebAssembly.compile(code as BufferSource));
    const module = await threaded.catch(() => null);
    if (module === null) threaded = null; // it may be there the next time
    return ThreadSearcher.open(spawn(), module === null ? setup : { ...setup, module, numThreads });
  };
  return LocalEngine.open(readFile, openAlphaBeta);
}

function problemOf(error: unknown): Reply {
  if (error instanceof EngineProblem) return { kind: 'problem', message: error.message, hint: error.hint };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'problem', message: `The engine failed: ${message}`, hint: 'Try again, or reload the page.' };
}
