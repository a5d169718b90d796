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

/** After them, empty for a network that reads no contexts of moves. */
const CONTEXT_TENSOR_NAMES = ['contexts.weight', 'contexts.bias'] as const;

export interface SparseCheckpoint {
  hidden: number;
  /** In the core's order. */
  tensors: Float32Array[];
}

/** Steps of a unit, by the name of the tensor: such tensors may be stored as whole steps in 16 or 8 bits. */
export interface GridScales {
  [name: string]: number;
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

export function readSparseCheckpoint(file: Uint8Array, game: GameName, scales: GridScales): SparseCheckpoint {
  const { header, data } = split(file);
  const metadata = header.__metadata__ ?? {};
  for (const [name, expected] of Object.entries({ game, family: 'sparse', kind: 'checkpoint', on_grid: 'yes' })) {
    if (metadata[name] !== expected) {
      throw new CheckpointProblem(`expected a network with ${name} = ${expected}, got ${String(metadata[name])}`);
    }
  }
  const read = (name: string): Float32Array => floatsOf(name, header, data, scales);
  const tensors = TENSOR_NAMES.map(read);
  for (const name of CONTEXT_TENSOR_NAMES) tensors.push(name in header ? read(name) : new Float32Array(0));
  return { hidden: entryOf(header, 'features.bias').shape[0] ?? 0, tensors };
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
  if (entry === undefined) throw new CheckpointProblem(`the tensor ${name} is missing`);
  return entry;
}

function floatsOf(name: string, header: Header, data: Uint8Array, scales: GridScales): Float32Array {
  const entry = entryOf(header, name);
  if (entry.dtype === 'F32') return new Float32Array(bytesOf(name, entry, data, 4));
  const scale = scales[name];
  if (scale === undefined) throw new CheckpointProblem(`tensor ${name}: numbers of type ${entry.dtype} are not known`);
  return Float32Array.from(stepsOf(name, header, data), (steps) => steps / scale);
}

function stepsOf(name: string, header: Header, data: Uint8Array): Int16Array {
  const entry = entryOf(header, name);
  if (entry.dtype === 'I16') return new Int16Array(bytesOf(name, entry, data, 2));
  if (entry.dtype !== 'I8') throw new CheckpointProblem(`tensor ${name}: numbers of type ${entry.dtype} are not known`);
  // Written by scripts/site_data.py: 8 bits, and a list of the few that need more.
  const steps = Int16Array.from(new Int8Array(bytesOf(name, entry, data, 1)));
  const listed = (suffix: string, bytesPerNumber: number): ArrayBuffer =>
    bytesOf(name + suffix, entryOf(header, name + suffix), data, bytesPerNumber);
  const wide = new Int16Array(listed('.wide_steps', 2));
  new Uint32Array(listed('.wide_places', 4)).forEach((place, index) => (steps[place] = wide[index] ?? 0));
  return steps;
}

/** A copy, so that it is aligned. */
function bytesOf(name: string, entry: TensorEntry, data: Uint8Array, bytesPerNumber: number): ArrayBuffer {
  const [begin, end] = entry.data_offsets;
  const expected = bytesPerNumber * entry.shape.reduce((product, size) => product * size, 1);
  if (!(begin >= 0 && end <= data.length && end - begin === expected)) {
    throw new CheckpointProblem(`tensor ${name} is cut off: the file has ${data.length} bytes of tensors`);
  }
  return new Uint8Array(data.subarray(begin, end)).buffer;
}
