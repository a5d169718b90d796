// Light, dark, or whatever the system says. The choice is an attribute of the document that the styles read.

import { readStored, writeStored } from './storage';

export type Theme = 'system' | 'light' | 'dark';

function isTheme(value: unknown): value is Theme {
  return value === 'system' || value === 'light' || value === 'dark';
}

export function storedTheme(): Theme {
  return readStored('theme', isTheme) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  const dark = theme === 'dark' || (theme === 'system' && systemIsDark());
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  document.dispatchEvent(new CustomEvent('milton:theme'));
}

export function chooseTheme(theme: Theme): void {
  writeStored('theme', theme);
  applyTheme(theme);
}

/** Applies the stored theme now and whenever the system changes its mind. */
export function followTheme(): void {
  applyTheme(storedTheme());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => applyTheme(storedTheme()));
}

export function onThemeChange(listener: () => void): () => void {
  document.addEventListener('milton:theme', listener);
  return () => document.removeEventListener('milton:theme', listener);
}

/** A colour of the current theme, for canvases that styles do not reach. */
export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function systemIsDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
