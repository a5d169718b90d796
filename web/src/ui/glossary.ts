// The project's glossary, docs/glossary.md, as the pages use it. The document is its only home.

import text from '../../../docs/glossary.md?raw';

const ROW = /^\| ([^|]+) \| (.+) \|$/gm;

const MEANINGS: ReadonlyMap<string, string> = new Map(
  [...text.matchAll(ROW)].flatMap(([, words = '', meaning = '']) =>
    words.split(',').map((word): [string, string] => [word.trim().toLowerCase(), plain(meaning)]),
  ),
);

/** Null where the glossary does not have the word. */
export function meaningOf(word: string): string | null {
  return MEANINGS.get(word.toLowerCase()) ?? null;
}

/** Without the marks of Markdown. */
function plain(meaning: string): string {
  return meaning.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}
