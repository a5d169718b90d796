import { describe, expect, it } from 'vitest';
import { LineSplitter, readJsonLines } from '../src/engine/stream';

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

describe('lines of an answer', () => {
  it('are whole however they were cut', () => {
    const splitter = new LineSplitter();
    expect([splitter.push('{"a"'), splitter.push(':1}\n{"b":2'), splitter.push('}\n\n'), splitter.end()]).toEqual([
      [],
      ['{"a":1}'],
      ['{"b":2}'],
      [],
    ]);
  });

  it('become values, the last one also without a line end', async () => {
    const values: unknown[] = [];
    for await (const value of readJsonLines(streamOf('{"n":1}\n{"n', '":2}\n', '{"n":3}'))) values.push(value);
    expect(values).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('stop the stream when the reader leaves', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('1\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const _ of readJsonLines(endless)) break;
    expect(isCancelled).toBe(true);
  });
});
