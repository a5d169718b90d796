// One instance of the core in WebAssembly: text and numbers in and out. Knows memory, not games.
//
// The core has no C++ exceptions here. When it refuses something it calls `fail`, which throws through its frames and
// leaves them half done; the instance is then broken and must be dropped. A fresh one costs a millisecond.

import type { Loan } from './lentThread';

/** The core refused what it was given (a position, a move, a network); the message is for people. */
export class CoreRefusal extends Error {}

/** The core stopped in a way it never should: out of memory, or a bug. */
export class CoreCrash extends Error {}

/** A pointer into the instance's memory. */
export type Pointer = number;

type CoreFunction = (...values: number[]) => number | bigint;

/** Nanoseconds of a WASI clock; the core asks for no other service of the host. */
function writeTime(memory: WebAssembly.Memory, place: Pointer): number {
  new DataView(memory.buffer).setBigUint64(place, BigInt(Math.round(performance.now() * 1e6)), true);
  return 0;
}

const WASI_BAD_FILE = 8;

export class CoreInstance {
  /** Asked every few nodes by a search that blocks this thread; true ends it. May ask for a report. */
  isInterrupted: () => boolean = () => false;
  private readonly exports: WebAssembly.Exports;
  private readonly memory: WebAssembly.Memory;
  private failure: Error | null = null;

  /** The build with threads has no memory of its own: it gets one that can be shared. */
  constructor(
    private readonly module: WebAssembly.Module,
    shared: WebAssembly.Memory | null = null,
  ) {
    const instance = new WebAssembly.Instance(module, this.imports(shared));
    this.exports = instance.exports;
    this.memory = shared ?? (instance.exports['memory'] as WebAssembly.Memory);
    this.call('_initialize');
  }

  /** What another thread needs to work in this memory. It holds on to it as long as the instance lives. */
  loan(stackBytes: number): Loan {
    const allocate = (bytes: number): Pointer => this.copyIn(new Uint8Array(bytes));
    const { value: storageBytes } = this.exports['__tls_size'] as WebAssembly.Global<'i32'>;
    return {
      module: this.module,
      memory: this.memory,
      stackEnd: allocate(stackBytes) + stackBytes,
      ownStorage: allocate(storageBytes),
    };
  }

  /** True once anything failed: what the instance holds means nothing any more. */
  get isBroken(): boolean {
    return this.failure !== null;
  }

  /** Calls an exported function. Strings become pointer and length; null is the null pointer with length 0. */
  call(name: string, ...values: (number | string | null)[]): number {
    return Number(this.callExact(name, ...values));
  }

  /** The same for 64-bit results. */
  callExact(name: string, ...values: (number | string | null)[]): number | bigint {
    if (this.failure !== null) throw new CoreCrash(`the core was used after it had failed: ${this.failure.message}`);
    const texts: Pointer[] = [];
    try {
      const flat = values.flatMap((value) => {
        if (value === null) return [0, 0];
        if (typeof value === 'number') return [value];
        const bytes = new TextEncoder().encode(value);
        const place = this.copyIn(bytes);
        texts.push(place);
        return [place, bytes.length];
      });
      const result = (this.exports[name] as CoreFunction)(...flat);
      for (const place of texts) this.free(place);
      return result;
    } catch (error) {
      this.failure ??= error as Error;
      if (error instanceof CoreRefusal || error instanceof CoreCrash) throw error;
      throw new CoreCrash(`the core stopped: ${String(error)}`);
    }
  }

  /** Calls a function that answers with JSON. */
  callForJson<T>(name: string, ...values: (number | string | null)[]): T {
    const length = this.call(name, ...values);
    return JSON.parse(this.textAt(this.call('milton_answer'), length)) as T;
  }

  /** Copies bytes or numbers into memory of the core; whoever calls frees them. */
  copyIn(numbers: Uint8Array | Uint32Array | Float32Array): Pointer {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    const place = (this.exports['milton_allocate'] as CoreFunction)(Math.max(1, bytes.length)) as number;
    if (place === 0) throw new CoreCrash(`no memory for ${bytes.length} bytes`);
    new Uint8Array(this.memory.buffer).set(bytes, place);
    return place;
  }

  free(place: Pointer): void {
    (this.exports['milton_free'] as CoreFunction)(place);
  }

  /** A copy of floats in the core's memory. */
  floatsAt(place: Pointer, count: number): Float32Array {
    return new Float32Array(this.memory.buffer, place, count).slice();
  }

  private textAt(place: Pointer, length: number): string {
    // A copy: decoders refuse memory that is shared.
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, place, length).slice());
  }

  private imports(shared: WebAssembly.Memory | null): WebAssembly.Imports {
    return {
      ...(shared === null ? {} : { env: { memory: shared } }),
      milton: {
        fail: (_kind: number, place: Pointer, length: number) => {
          throw new CoreRefusal(this.textAt(place, length));
        },
        is_interrupted: () => (this.isInterrupted() ? 1 : 0),
      },
      // What the C++ library could ask of an operating system. There is none: only the clock works.
      wasi_snapshot_preview1: {
        clock_time_get: (_clock: number, _precision: bigint, place: Pointer) => writeTime(this.memory, place),
        fd_close: () => WASI_BAD_FILE,
        fd_seek: () => WASI_BAD_FILE,
        fd_write: () => WASI_BAD_FILE,
      },
    };
  }
}
