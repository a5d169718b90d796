// Addresses of the pages: `#/play/chess`, `#/analyse/chess?moves=e2e4.e7e5`. Knows no page, only their names.

import { GAME_INFO } from '../api/games';
import type { GameName } from '../engine/types';

export type Route =
  | { page: 'run'; iteration: number | null; name: string | null }
  | { page: 'runs' }
  | { page: 'bot' }
  | { page: 'play'; game: GameName; start: string | null }
  | { page: 'analyse'; game: GameName; text: string | null; line: Line | null; review: boolean; tags: Tags };

export type AnalyseRoute = Extract<Route, { page: 'analyse' }>;

/** Tags of PGN that an address may say about the game to review, with their values. */
export type Tags = readonly (readonly [string, string])[];

const TAGS = ['Event', 'Date', 'White', 'Black', 'Result'];
const LONGEST_TAG = 100;

/** The way to a position: where it began, and the moves. */
export interface Line {
  start: string | null;
  moves: readonly string[];
}

export function analyseRoute(game: GameName, line: Line | null = null, review = false, tags: Tags = []): AnalyseRoute {
  return { page: 'analyse', game, text: null, line, review, tags };
}

export function playRoute(game: GameName, start: string | null = null): Route {
  return { page: 'play', game, start };
}

/** Without a name it is the run that is served. */
export function runRoute(iteration: number | null = null, name: string | null = null): Route {
  return { page: 'run', iteration, name };
}

export const GAMES = Object.keys(GAME_INFO) as readonly GameName[];

export function isGameName(text: unknown): text is GameName {
  return GAMES.some((game) => game === text);
}

/** The page that a hash means; `home` where it means none. */
export function parseRoute(hash: string, home: Route): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page, argument] = path.split('/', 2);
  const options = new URLSearchParams(query);
  if (page === 'run') return { page, iteration: parseIteration(argument), name: options.get('run') };
  if (page === 'runs' || page === 'bot') return { page };
  if (page === 'play') return { page, game: isGameName(argument) ? argument : 'chess', start: options.get('start') };
  if (page === 'analyse') {
    const game = isGameName(argument) ? argument : 'chess';
    const [text, line, review] = [options.get('text'), parseLine(options), options.has('review')];
    return { page, game, text, line, review, tags: parseTags(options) };
  }
  return home;
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'run':
      return `#/run${route.iteration === null ? '' : `/${route.iteration}`}${query({ run: route.name })}`;
    case 'runs':
    case 'bot':
      return `#/${route.page}`;
    case 'play':
      return `#/play/${route.game}${query({ start: route.start })}`;
    case 'analyse': {
      const { start = null, moves = [] } = route.line ?? {};
      const options = {
        text: route.text,
        start,
        moves: moves.length === 0 ? null : moves.join('.'),
        review: route.review ? '1' : null,
        ...Object.fromEntries(route.tags),
      };
      return `#/analyse/${route.game}${query(options)}`;
    }
  }
}

function query(options: { readonly [name: string]: string | null }): string {
  const given = Object.entries(options).filter((pair): pair is [string, string] => pair[1] !== null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

function parseLine(options: URLSearchParams): Line | null {
  const [start, moves] = [options.get('start'), options.get('moves')];
  if (start === null && moves === null) return null;
  return { start, moves: (moves ?? '').split('.').filter((move) => move !== '') };
}

function parseTags(options: URLSearchParams): Tags {
  return TAGS.flatMap((name): [string, string][] => {
    const value = (options.get(name) ?? '').replace(/\p{Cc}/gu, ' ').slice(0, LONGEST_TAG);
    return value.trim() === '' ? [] : [[name, value]];
  });
}

function parseIteration(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
