// Asks the server and turns its refusals into problems that a page can show. Addresses are relative to the page, so
// that the server may live under any path.

import { isObject } from '../app/storage';
import { reportFound, reportLost } from '../live/connection';
import { EngineProblem } from './types';

const LOST = new EngineProblem('The server does not answer.', 'Is `milton serve` or `milton loop` still running?');

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await ask(path, signal === undefined ? {} : { signal });
  return (await readJson(answer)) as T;
}

export async function postJson<T>(path: string, body: unknown): Promise<T> {
  return (await readJson(await post(path, body))) as T;
}

export async function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  return ask(path, signal === undefined ? init : { ...init, signal });
}

export function problemIn(value: unknown, fallback: string): EngineProblem {
  if (!isObject(value) || typeof value['message'] !== 'string') return new EngineProblem(fallback);
  return new EngineProblem(value['message'], typeof value['hint'] === 'string' ? value['hint'] : '');
}

/** A connection that broke while an answer was coming. */
export function lostConnection(): EngineProblem {
  reportLost();
  return LOST;
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { cache: 'no-store', ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw lostConnection();
  }
  reportFound();
  if (answer.ok) return answer;
  throw problemIn(await answer.json().catch(() => null), `The server answered ${answer.status}.`);
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    throw new EngineProblem('The server sent something unreadable.', 'Reload the page; it may be of another version.');
  }
}
