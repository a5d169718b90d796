// A thread that is lent to a search: another instance of the core in the same memory, which works there until its
// worker is ended. Imports nothing, so that tests can start it in threads of Node.js.

export interface Loan {
  module: WebAssembly.Module;
  /** Shared with the instance that searches. */
  memory: WebAssembly.Memory;
  /** The upper end of the memory that is this thread's stack. */
  stackEnd: number;
  /** Memory for the variables that every thread has for itself. */
  ownStorage: number;
}

/** Returns only if the core fails. `onReady` is called when nothing but the core is left to run. */
export function lendThread({ module, memory, stackEnd, ownStorage }: Loan, onReady: () => void): void {
  const { exports } = new WebAssembly.Instance(module, imports(module, memory));
  (exports['__stack_pointer'] as WebAssembly.Global<'i32'>).value = stackEnd;
  const call = (name: string, ...values: number[]): void => void (exports[name] as CallableFunction)(...values);
  call('__wasm_init_tls', ownStorage);
  onReady();
  try {
    call('milton_lend_thread');
  } finally {
    call('milton_leave_thread');
  }
}

/** The thread that decides talks to the host; nobody else may. */
function imports(module: WebAssembly.Module, memory: WebAssembly.Memory): WebAssembly.Imports {
  const found: WebAssembly.Imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const refuse = (): never => {
      throw new Error(`a lent thread called ${from}.${name}`);
    };
    found[from] = { ...found[from], [name]: kind === 'memory' ? memory : refuse };
  }
  return found;
}
