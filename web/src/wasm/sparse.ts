// A sparse network in a fresh instance of the core, with one of its searches.

import type { Algorithm, GameName } from '../engine/types';
import { CoreInstance, type Pointer } from './instance';
import { newSharedMemory } from './sharing';
import { readSparseCheckpoint, type GridScales } from './safetensors';

/** All that a search with a sparse network is made from; can be sent to another thread. */
export interface SparseSetup {
  module: WebAssembly.Module;
  game: GameName;
  /** The checkpoint. */
  file: Uint8Array;
  scales: GridScales;
  /** More than one: the module is the build with threads. Left out: one. */
  numThreads?: number;
}

const MAKERS: { [algorithm in Algorithm]: string } = {
  mcts: 'milton_sparse_engine',
  alphabeta: 'milton_alphabeta_engine',
};

export function openSparse(
  { module, game, file, scales, numThreads = 1 }: SparseSetup,
  algorithm: Algorithm,
  memoryBytes: number,
): { instance: CoreInstance; engine: Pointer } {
  const { hidden, tensors } = readSparseCheckpoint(file, game, scales);
  const instance = new CoreInstance(module, numThreads > 1 ? newSharedMemory() : null);
  const places = tensors.map((tensor) => instance.copyIn(tensor));
  const tables = [places, tensors.map(({ length }) => length)].map((numbers) =>
    instance.copyIn(new Uint32Array(numbers)),
  );
  const threads = algorithm === 'alphabeta' ? [numThreads] : [];
  const engine = instance.call(MAKERS[algorithm], game, memoryBytes, ...threads, hidden, ...tables);
  for (const place of [...places, ...tables]) instance.free(place);
  return { instance, engine };
}
