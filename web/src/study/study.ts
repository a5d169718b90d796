// What the Analyse page holds: games with variations and where one stands in them. Kept in the browser.

import { isObject, onStoredElsewhere, readStored, writeStored } from '../app/storage';
import type { GameName, GameMoves } from '../engine/types';
import { addLine, EMPTY_GAME, existingPath, lineThrough, type Path, type StudyGame, type StudyNode } from './tree';

export interface Study {
  readonly games: readonly StudyGame[];
  readonly index: number;
  readonly path: Path;
}

export const EMPTY_STUDY: Study = { games: [EMPTY_GAME], index: 0, path: [] };

export function currentGame(study: Study): StudyGame {
  return study.games[study.index] ?? EMPTY_GAME;
}

export function recordAt(game: GameName, study: Study): GameMoves {
  return { game, start: currentGame(study).start, moves: [...study.path] };
}

export function withGame(study: Study, game: StudyGame, path: Path = study.path): Study {
  const games = study.games.map((known, index) => (index === study.index ? game : known));
  return { ...study, games, path: existingPath(game, path) };
}

/** Adds games and goes to the first of them; a study of nothing but an untouched game gives way to them. */
export function withGames(study: Study, added: readonly StudyGame[], path: Path = []): Study {
  const kept = study.games.filter((game) => !isUntouched(game));
  return { games: [...kept, ...added], index: kept.length, path };
}

/** The same for games that were read; those that the study has already are not added a second time. */
export function withReadGames(study: Study, read: readonly StudyGame[], path: Path): Study {
  const texts = study.games.map((game) => JSON.stringify(game));
  const places = read.map((game) => texts.indexOf(JSON.stringify(game)));
  const added = read.filter((_, each) => places[each] === -1);
  const [first = -1] = places;
  if (added.length === 0) return { ...study, index: Math.max(0, first), path };
  const grown = withGames(study, added, path);
  return first === -1 ? grown : { ...grown, index: grown.games.findIndex((game) => game === study.games[first]) };
}

export function withoutGame(study: Study, index: number): Study {
  const games = study.games.filter((_, each) => each !== index);
  return games.length === 0 ? EMPTY_STUDY : { games, index: Math.min(study.index, games.length - 1), path: [] };
}

/** Goes to a line from somewhere else, as an address: into the game that begins there, or into a new one. */
export function withLine(
  study: Study,
  start: string | null,
  moves: readonly string[],
  notation: readonly string[],
): Study {
  const fits = (game: StudyGame): boolean => game.start === start;
  const index = fits(currentGame(study)) ? study.index : study.games.findIndex(fits);
  if (index < 0) return withGames(study, [addLine({ ...EMPTY_GAME, start }, [], moves, notation)], moves);
  const there = { ...study, index };
  return withGame(there, addLine(currentGame(there), [], moves, notation), moves);
}

/** A finished game is a game of its own, unless the study has it already. */
export function withFinishedGame(
  study: Study,
  start: string | null,
  moves: readonly string[],
  notation: readonly string[],
  tags: StudyGame['headers'] = [],
): Study {
  const isIt = (game: StudyGame): boolean =>
    game.start === start && lineThrough(game, []).join('.') === moves.join('.');
  const index = study.games.findIndex(isIt);
  if (index >= 0) return { ...study, index, path: moves };
  const headers = tags.length > 0 ? tags : ([['Event', 'Game to review']] as const);
  return withGames(study, [addLine({ ...EMPTY_GAME, headers, start }, [], moves, notation)], moves);
}

function isUntouched(game: StudyGame): boolean {
  return game.children.length === 0 && game.start === null && game.comment === '' && game.headers.length === 0;
}

const gamesKey = (game: GameName): string => `study.${game}`;
const placeKey = (game: GameName): string => `study.${game}.place`;

export function loadStudy(game: GameName): Study {
  const games = readStored(gamesKey(game), isGames);
  if (games === null || games.length === 0) return EMPTY_STUDY;
  const place = readStored(placeKey(game), isPlace) ?? { index: 0, path: [] };
  const index = Math.min(Math.max(0, place.index), games.length - 1);
  return { games, index, path: existingPath(games[index]!, place.path) };
}

/** Games and place apart: stepping through a game writes little. False: the browser refuses to keep that much. */
export function saveGames(game: GameName, games: readonly StudyGame[]): boolean {
  return writeStored(gamesKey(game), games);
}

export function savePlace(game: GameName, { index, path }: Study): void {
  writeStored(placeKey(game), { index, path });
}

export function onGamesElsewhere(game: GameName, listener: () => void): () => void {
  return onStoredElsewhere(gamesKey(game), listener);
}

function isGames(value: unknown): value is StudyGame[] {
  return Array.isArray(value) && value.every(isGame);
}

function isGame(value: unknown): value is StudyGame {
  if (!isObject(value)) return false;
  const { headers, start, comment, children } = value;
  const isHeader = (pair: unknown): boolean => Array.isArray(pair) && pair.length === 2 && pair.every(isText);
  return (
    Array.isArray(headers) &&
    headers.every(isHeader) &&
    (start === null || isText(start)) &&
    isText(comment) &&
    areNodes(children)
  );
}

function areNodes(value: unknown): value is StudyNode[] {
  return Array.isArray(value) && value.every(isNode);
}

function isNode(value: unknown): value is StudyNode {
  if (!isObject(value)) return false;
  const { move, notation, before, comment, nags, children } = value;
  return (
    [move, notation, before, comment].every(isText) &&
    Array.isArray(nags) &&
    nags.every((nag) => typeof nag === 'number') &&
    areNodes(children)
  );
}

function isPlace(value: unknown): value is { index: number; path: string[] } {
  return (
    isObject(value) && Number.isInteger(value['index']) && Array.isArray(value['path']) && value['path'].every(isText)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
