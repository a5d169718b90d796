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

/** False where the storage is full or refused: that costs the memory of this page, nothing else. */
export function writeStored(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Calls back when another tab of this browser writes the key. */
export function onStoredElsewhere(key: string, listener: () => void): () => void {
  const hear = (event: StorageEvent): void => {
    if (event.key === PREFIX + key) listener();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
