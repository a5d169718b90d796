// Reads an answer that comes line by line, one JSON value a line. Knows nothing of what the values mean.

/** Splits chunks of text into whole lines; the rest waits for the next chunk. */
export class LineSplitter {
  private rest = '';

  push(chunk: string): string[] {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    return lines.filter((line) => line.trim() !== '');
  }

  end(): string[] {
    const last = this.rest;
    this.rest = '';
    return last.trim() === '' ? [] : [last];
  }
}

export async function* readJsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      const lines = done ? splitter.end() : splitter.push(decoder.decode(value, { stream: true }));
      for (const line of lines) yield JSON.parse(line) as unknown;
      if (done) return;
    }
  } finally {
    // Left early: the server sees the connection close and stops its work.
    await reader.cancel().catch(() => undefined);
  }
}
