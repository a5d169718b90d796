// Glyphs that people put behind moves, by their numbers in PGN.

export const GLYPHS: readonly { readonly nag: number; readonly glyph: string; readonly meaning: string }[] = [
  { nag: 1, glyph: '!', meaning: 'good move' },
  { nag: 2, glyph: '?', meaning: 'mistake' },
  { nag: 3, glyph: '!!', meaning: 'excellent move' },
  { nag: 4, glyph: '??', meaning: 'blunder' },
  { nag: 5, glyph: '!?', meaning: 'interesting move' },
  { nag: 6, glyph: '?!', meaning: 'inaccuracy' },
];

/** Numbers without a glyph here are kept in the game and not drawn. */
export function glyphsOf(nags: readonly number[]): string {
  return nags.map((nag) => GLYPHS.find((known) => known.nag === nag)?.glyph ?? '').join('');
}
