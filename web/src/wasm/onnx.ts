// A dense network in ONNX Runtime Web, one thread, on the CPU. Knows tensors, not games.

import * as ort from 'onnxruntime-web/wasm';

export interface PlanesEvaluator {
  /** Floats of one position. */
  readonly planesSize: number;
  /** Policy logits [count, actions] and win, draw, loss [count, 3], seen by the side to move. */
  evaluate(planes: Float32Array, count: number): Promise<{ policy: Float32Array; wdl: Float32Array }>;
}

export async function openOnnx(model: Uint8Array, shape: [number, number, number]): Promise<PlanesEvaluator> {
  // More threads need shared memory, which a page gets only from servers that isolate it.
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
  return {
    planesSize: shape[0] * shape[1] * shape[2],
    async evaluate(planes, count) {
      const outputs = await session.run({ planes: new ort.Tensor('float32', planes, [count, ...shape]) });
      const policy = floatsOf(outputs, 'policy');
      return { policy, wdl: softmaxRows(floatsOf(outputs, 'wdl'), 3) };
    },
  };
}

function floatsOf(outputs: ort.InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`the network has no output ${name} of floats`);
  if (!data.every(Number.isFinite)) throw new Error(`the network's output ${name} is not finite`);
  return data.slice(); // the runtime may use its memory again
}

export function softmaxRows(logits: Float32Array, width: number): Float32Array {
  const out = new Float32Array(logits.length);
  for (let start = 0; start < logits.length; start += width) {
    const row = logits.subarray(start, start + width);
    const highest = Math.max(...row);
    const exponentials = Array.from(row, (logit) => Math.exp(logit - highest));
    const sum = exponentials.reduce((total, x) => total + x, 0);
    out.set(
      exponentials.map((x) => x / sum),
      start,
    );
  }
  return out;
}
