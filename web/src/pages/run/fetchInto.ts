// Asks the server for something of a run; for effects, whose end forgets the question.

import { getJson } from '../../engine/http';
import type { EngineProblem } from '../../engine/types';
import { asProblem } from '../../game/session';

/** An answer that comes after another question is dropped. */
export function fetchInto<T>(
  path: string,
  found: (value: T) => void,
  failed: (problem: EngineProblem) => void,
): () => void {
  const abort = new AbortController();
  getJson<T>(path, abort.signal).then(
    (value) => {
      if (!abort.signal.aborted) found(value);
    },
    (error: unknown) => {
      if (!abort.signal.aborted) failed(asProblem(error));
    },
  );
  return () => abort.abort();
}
