// Runs an ONNX model in ONNX Runtime Web for scripts/verify_web.py: one line of JSON in, one out. An array is
// { type, shape, data } with its little-endian bytes in base64.

import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as ort from 'onnxruntime-web/wasm';

const ARRAYS = { float32: Float32Array, int64: BigInt64Array };

const toTensor = ({ type, shape, data }) => {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  return new ort.Tensor(type, new ARRAYS[type](bytes.buffer), shape);
};
const toJson = ({ type, dims, data }) => ({
  type,
  shape: dims,
  data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
});

ort.env.wasm.numThreads = 1;
const session = await ort.InferenceSession.create(new Uint8Array(await readFile(process.argv[2])));
for await (const line of createInterface({ input: process.stdin })) {
  const inputs = Object.entries(JSON.parse(line)).map(([name, array]) => [name, toTensor(array)]);
  const outputs = Object.entries(await session.run(Object.fromEntries(inputs)));
  console.log(JSON.stringify(Object.fromEntries(outputs.map(([name, tensor]) => [name, toJson(tensor)]))));
}
