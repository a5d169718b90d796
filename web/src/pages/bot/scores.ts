// Games of the bot, counted. Pure.

import type { components } from '../../api/schema';

export type BotGame = components['schemas']['BotGame'];
export type BotSwap = components['schemas']['BotSwap'];

export interface Tally {
  name: string;
  wins: number;
  draws: number;
  losses: number;
}

/** By whatever a game belongs to, most games first. Games that nobody counts are left out. */
export function tally(games: readonly BotGame[], nameOf: (game: BotGame) => string): Tally[] {
  const found = new Map<string, Tally>();
  for (const game of games) {
    if (game.score === null) continue;
    const known = found.get(nameOf(game)) ?? { name: nameOf(game), wins: 0, draws: 0, losses: 0 };
    const key = game.score === 1 ? 'wins' : game.score === 0 ? 'losses' : 'draws';
    found.set(known.name, { ...known, [key]: known[key] + 1 });
  }
  return [...found.values()].sort((left, right) => total(right) - total(left));
}

export function total({ wins, draws, losses }: Tally): number {
  return wins + draws + losses;
}

/** Shares of points over the last `width` counted games, one for each game, and where another network took over. */
export function form(
  games: readonly BotGame[],
  width: number,
): { scores: number[]; swaps: { index: number; network: string }[] } {
  const counted = games.filter(({ score }) => score !== null);
  const scores = counted.map((_, index) => {
    const near = counted.slice(Math.max(0, index - width + 1), index + 1);
    return near.reduce((sum, { score }) => sum + (score ?? 0), 0) / near.length;
  });
  const swaps = counted.flatMap(({ network }, index) =>
    index > 0 && counted[index - 1]?.network !== network ? [{ index: index + 1, network }] : [],
  );
  return { scores, swaps };
}

/** Statuses of Lichess that are not words yet. */
const STATUS_WORDS: { readonly [status: string]: string } = {
  mate: 'checkmate',
  resign: 'resignation',
  outoftime: 'time',
  timeout: 'a player left',
  draw: 'agreement or rule',
  noStart: 'it did not start',
};

/** "won: checkmate", seen by the bot. */
export function resultText({ score, status }: BotGame): string {
  const result = score === null ? 'not counted' : score === 1 ? 'won' : score === 0 ? 'lost' : 'drawn';
  return `${result}: ${STATUS_WORDS[status] ?? status}`;
}

/** "180+2" → "3+2"; as players say it. */
export function controlText(control: string): string {
  const [seconds, increment] = control.split('+').map(Number);
  if (seconds === undefined || increment === undefined || Number.isNaN(seconds + increment))
    return control === '-' ? 'no clock' : control;
  return `${Number((seconds / 60).toFixed(2))}+${increment}`;
}

export interface RatingCurves {
  /** Numbers of the games that have a rating, from 1 among all games. */
  x: number[];
  speeds: { speed: string; values: (number | null)[]; last: number }[];
  /** The first game that ended after a network took over. */
  marks: { game: number; network: string }[];
}

/** The bot's rating when each game began, by speed. */
export function ratingsOver(games: readonly BotGame[], swaps: readonly BotSwap[]): RatingCurves {
  const numbered = games.map((game, index) => ({ game, number: index + 1 }));
  const rated = numbered.filter(({ game }) => game.rating !== null);
  const speeds = [...new Set(rated.map(({ game }) => game.speed))].sort().map((speed) => {
    const values = rated.map(({ game }) => (game.speed === speed ? game.rating : null));
    return { speed: speed === '' ? 'rating' : speed, values, last: values.findLast((each) => each !== null) ?? 0 };
  });
  const marks = swaps.flatMap(({ at, network }) => {
    const next = numbered.find(({ game }) => game.endedAt >= at);
    return next === undefined ? [] : [{ game: next.number, network }];
  });
  return { x: rated.map(({ number }) => number), speeds, marks };
}
