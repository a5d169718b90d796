// Fetches a file and tells how much of it has come.

import { EngineProblem } from '../engine/types';

/** `onBytes` hears how many bytes are here, as they will be used: a compressed answer counts unpacked. */
export async function readWithProgress(address: URL, onBytes?: (doneBytes: number) => void): Promise<Uint8Array> {
  const response = await fetch(address);
  const name = address.pathname.split('/').at(-1) ?? '';
  if (!response.ok) throw new EngineProblem(`${name}: the server answered ${response.status}`, 'Reload the page.');
  if (response.body === null || onBytes === undefined) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let doneBytes = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    doneBytes += next.value.length;
    onBytes(doneBytes);
  }
  return joined(chunks, doneBytes);
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  const content = new Uint8Array(length);
  let place = 0;
  for (const chunk of chunks) {
    content.set(chunk, place);
    place += chunk.length;
  }
  return content;
}
