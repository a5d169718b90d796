// Reads a sparse checkpoint: a safetensors file as milton writes it. Knows the container and the family's tensor names.

import type { GameName } from '../engine/types';

/** In the order in which the core takes them (SparseWeights in core/nets/sparse_net.h). */
const TENSOR_NAMES = [
  'features.weight',
  'features.bias',
  'value1.weight',
  'value1.bias',
  'value2.weight',
  'value2.bias',
  'policy.weight',
  'policy.bias',
] as const;

export interface SparseCheckpoint {
  hidden: number;
  /** Little-endian floats of each tensor, in the core's order. */
  tensors: Uint8Array[];
}

/** The file is not the network it should be; the message is for people. */
export class CheckpointProblem extends Error {}

interface Header {
  __metadata__?: { [name: string]: string };
  [name: string]: unknown;
}

interface TensorEntry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

const LENGTH_BYTES = 8;
const FLOAT_BYTES = 4;

export function readSparseCheckpoint(file: Uint8Array, game: GameName): SparseCheckpoint {
  const { header, data } = split(file);
  const metadata = header.__metadata__ ?? {};
  for (const [name, expected] of Object.entries({ game, family: 'sparse', kind: 'checkpoint', on_grid: 'yes' })) {
    if (metadata[name] !== expected) {
      throw new CheckpointProblem(`expected a network with ${name} = ${expected}, got ${String(metadata[name])}`);
    }
  }
  const entries = TENSOR_NAMES.map((name) => entryOf(header, name));
  return { hidden: entries[0]?.shape[1] ?? 0, tensors: entries.map((entry, i) => bytesOf(entry, data, TENSOR_NAMES[i]!)) };
}

function split(file: Uint8Array): { header: Header; data: Uint8Array } {
  try {
    const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
    return { header: JSON.parse(text) as Header, data: file.subarray(LENGTH_BYTES + length) };
  } catch (error) {
    throw new CheckpointProblem(`not a safetensors file (${String(error)})`);
  }
}

function entryOf(header: Header, name: string): TensorEntry {
  const entry = header[name] as TensorEntry | undefined;
  if (entry?.dtype !== 'F32') throw new CheckpointProblem(`expected a tensor ${name} of F32`);
  return entry;
}

function bytesOf(entry: TensorEntry, data: Uint8Array, name: string): Uint8Array {
  const [begin, end] = entry.data_offsets;
  const expected = FLOAT_BYTES * entry.shape.reduce((product, size) => product * size, 1);
  if (!(begin >= 0 && end <= data.length && end - begin === expected)) {
    throw new CheckpointProblem(`tensor ${name} is cut off: the file has ${data.length} bytes of tensors`);
  }
  return data.subarray(begin, end);
}
