// Glyphs that people put behind moves, by their numbers in PGN.

interface Glyph {
  readonly nag: number;
  readonly glyph: string;
  readonly meaning: string;
}

/** Of the move itself; a move has one of them at most. */
export const GLYPHS: readonly Glyph[] = [
  { nag: 1, glyph: '!', meaning: 'good move' },
  { nag: 2, glyph: '?', meaning: 'mistake' },
  { nag: 3, glyph: '!!', meaning: 'excellent move' },
  { nag: 4, glyph: '??', meaning: 'blunder' },
  { nag: 5, glyph: '!?', meaning: 'interesting move' },
  { nag: 6, glyph: '?!', meaning: 'inaccuracy' },
];

/** Of the position after it; shown, kept and written, but not offered. */
const POSITION_GLYPHS: readonly Glyph[] = [
  { nag: 7, glyph: '□', meaning: 'only move' },
  { nag: 10, glyph: '=', meaning: 'equal position' },
  { nag: 13, glyph: '∞', meaning: 'unclear position' },
  { nag: 14, glyph: '⩲', meaning: 'White is slightly better' },
  { nag: 15, glyph: '⩱', meaning: 'Black is slightly better' },
  { nag: 16, glyph: '±', meaning: 'White is better' },
  { nag: 17, glyph: '∓', meaning: 'Black is better' },
  { nag: 18, glyph: '+−', meaning: 'White is winning' },
  { nag: 19, glyph: '−+', meaning: 'Black is winning' },
  { nag: 22, glyph: '⨀', meaning: 'zugzwang' },
  { nag: 132, glyph: '⇆', meaning: 'counterplay' },
  { nag: 146, glyph: 'N', meaning: 'novelty' },
];

const ALL = [...GLYPHS, ...POSITION_GLYPHS];

/** "?! ⩲"; a number without a glyph here is written as PGN does, so that nothing is hidden. */
export function glyphsOf(nags: readonly number[]): string {
  const own = nags.flatMap((nag) => GLYPHS.find((known) => known.nag === nag)?.glyph ?? []).join('');
  const others = nags
    .filter((nag) => !GLYPHS.some((known) => known.nag === nag))
    .map((nag) => ALL.find((known) => known.nag === nag)?.glyph ?? `$${nag}`);
  return [own, ...others].join(' ').trimEnd();
}

/** The glyphs in words, for tips. */
export function meaningsOf(nags: readonly number[]): string {
  return nags.flatMap((nag) => ALL.find((known) => known.nag === nag)?.meaning ?? []).join(', ');
}
