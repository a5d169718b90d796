// A word with its meaning from the glossary, shown when somebody points at it, reaches it by keyboard or taps it.

import type { ComponentChildren } from 'preact';
import { meaningOf } from './glossary';

export function Term({ word, children }: { word: string; children: ComponentChildren }) {
  const meaning = meaningOf(word);
  return meaning === null ? (
    <>{children}</>
  ) : (
    <abbr class="term" tabIndex={0} title={meaning}>
      {children}
    </abbr>
  );
}
