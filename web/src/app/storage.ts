// Small values kept in the browser. What comes back is checked by the caller: another version may have written it.

const PREFIX = 'milton.';

export function readStored<T>(key: string, check: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null');
    return check(value) ? value : null;
  } catch {
    return null; // private windows may refuse, and old text may not parse: both mean "nothing kept"
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A full or refused storage costs the memory of this page, nothing else.
  }
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
