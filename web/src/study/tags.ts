// What is known of a game besides its moves, as the tags of a PGN say it.

import type { Tags } from '../app/router';

/** Players, result and date of a game that somebody wants reviewed; what nobody knows is left out. */
export function tagsOf(players: readonly string[], result: string, ms?: number): Tags {
  const [white = '', black = ''] = players;
  if (white === '' && black === '') return [];
  const tags: Tags = [
    ['Date', dateText(ms) ?? ''],
    ['White', white],
    ['Black', black],
    ['Result', result],
  ];
  return tags.filter(([, value]) => value !== '');
}

/** "2026.11.30", where the person is. */
export function dateText(ms: number | undefined): string | undefined {
  if (ms === undefined) return undefined;
  const day = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(day.getFullYear()).padStart(4, '0')}.${two(day.getMonth() + 1)}.${two(day.getDate())}`;
}
