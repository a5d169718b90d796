// Addresses of the pages: `#/play/chess`, `#/analyse?game=chess`. Knows no page, only their names.

import type { GameName } from '../engine/types';

export type Route =
  | { page: 'run'; iteration: number | null }
  | { page: 'play'; game: GameName }
  | { page: 'analyse'; game: GameName; text: string | null };

export const GAMES: readonly GameName[] = ['chess', 'santorini', 'connect_four'];

export function isGameName(text: unknown): text is GameName {
  return GAMES.some((game) => game === text);
}

/** The page that a hash means; `home` where it means none. */
export function parseRoute(hash: string, home: Route): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page, argument] = path.split('/', 2);
  const options = new URLSearchParams(query);
  if (page === 'run') return { page, iteration: parseIteration(argument) };
  if (page === 'play') return { page, game: isGameName(argument) ? argument : 'chess' };
  if (page === 'analyse') {
    return { page, game: isGameName(argument) ? argument : 'chess', text: options.get('text') };
  }
  return home;
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'run':
      return route.iteration === null ? '#/run' : `#/run/${route.iteration}`;
    case 'play':
      return `#/play/${route.game}`;
    case 'analyse': {
      const query = route.text === null ? '' : `?${new URLSearchParams({ text: route.text })}`;
      return `#/analyse/${route.game}${query}`;
    }
  }
}

function parseIteration(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
