// Games that come from people as text and leave as text: FEN, PGN, position texts, JSON lines. The same as the server's
// src/milton/webapi/transfer.py; the core judges every position and move.

import { GAME_INFO } from '../api/games';
import { EngineProblem, type GameName, type GameResult, type Outcome, type GameMoves } from '../engine/types';
import { readPgn, writePgn } from './pgn';
import type { Rules } from './rules';

const RESULTS: { [winner: string]: GameResult } = { '0': '1-0', '1': '0-1', null: '1/2-1/2' };

export function importGame(rules: Rules, game: GameName, text: string): GameMoves {
  const trimmed = text.trim();
  const hint = expected(rules, game);
  if (trimmed === '') throw new EngineProblem('there is no text', hint);
  if (trimmed.startsWith('{')) return fromJson(rules, game, trimmed, hint);
  const mayBePosition = !trimmed.includes('\n') && !trimmed.includes('[');
  // Only chess has another way of writing, and FENs have slashes where moves have none.
  if (GAME_INFO[game].notation !== 'san' || (mayBePosition && /^[^\s.]*\//.test(trimmed))) {
    return { game, start: rules.read(game, trimmed, [], hint).text, moves: [] };
  }
  const { headers, moves } = readPgn(trimmed);
  const start = headers.get('FEN') ?? null;
  if (moves.length === 0 && start === null) throw new EngineProblem('no game was found in the text', hint);
  const canonicalStart = start === null ? null : rules.read(game, start, [], hint).text;
  return { game, start: canonicalStart, moves: rules.read(game, start, moves, hint).moves };
}

export function exportGame(
  rules: Rules,
  record: GameMoves,
  names: [string, string],
  result?: GameResult,
  date = '????.??.??',
): string {
  const first = rules.read(record.game, record.start, []);
  const last = rules.read(record.game, record.start, record.moves);
  const shown = result ?? resultOf(last.outcome);
  if (GAME_INFO[record.game].notation !== 'san') {
    const { game, moves } = record;
    return `${JSON.stringify({ game, start: first.text, moves, players: names, result: shown })}\n`;
  }
  const headers: [string, string][] = [
    ['Event', 'Milton'],
    ['Site', '?'],
    ['Date', date],
    ['Round', '?'],
    ['White', names[0]],
    ['Black', names[1]],
    ['Result', shown],
  ];
  if (record.start !== null) headers.push(['SetUp', '1'], ['FEN', first.text]);
  return writePgn({ headers, notation: last.notation, firstPly: first.ply, result: shown });
}

function resultOf(outcome: Outcome | null): GameResult {
  return outcome === null ? '*' : (RESULTS[String(outcome.winner)] ?? '*');
}

/** A line that `exportGame` or self-play wrote. */
function fromJson(rules: Rules, game: GameName, text: string, hint: string): GameMoves {
  let fields: { game?: unknown; start?: unknown; moves?: unknown };
  try {
    fields = JSON.parse(text.split('\n')[0]!) as typeof fields;
  } catch {
    throw new EngineProblem('not a game of Milton in JSON', hint);
  }
  const { start, moves } = fields;
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (!(start === null || isText(start)) || !Array.isArray(moves) || !moves.every(isText)) {
    throw new EngineProblem('not a game of Milton in JSON', hint);
  }
  if (fields.game !== game)
    throw new EngineProblem(`this is a game of ${String(fields.game)}`, `Paste a game of ${game}.`);
  return { game, start, moves: rules.read(game, start, moves, hint).moves };
}

function expected(rules: Rules, game: GameName): string {
  if (GAME_INFO[game].notation === 'san') return 'Paste a FEN or a PGN.';
  return `Paste a position like '${rules.read(game, null, []).text}', or a game as this page exports it.`;
}
