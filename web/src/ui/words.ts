// Sides and endings as the pages say them. The names themselves are declared by the games (../api/games).

import { formatFixed, formatSigned } from './format';
import { GAME_INFO } from '../api/games';
import { capital } from './text';
import type { Algorithm, Candidate, GameName, NetworkInfo, Outcome, SearchProgress, Side } from '../engine/types';

export function sideName(game: GameName, side: Side): string {
  return GAME_INFO[game].sides[side];
}

/** "threefold_repetition" → "threefold repetition". */
export function reasonText(reason: string): string {
  return reason.replaceAll('_', ' ').toLowerCase();
}

export function outcomeText(game: GameName, outcome: Outcome, human: Side | null): string {
  const reason = reasonText(outcome.reason);
  if (outcome.winner === null) return `Drawn: ${reason}.`;
  if (human === null) return `${capital(sideName(game, outcome.winner))} won: ${reason}.`;
  return outcome.winner === human ? `You won: ${reason}. Well played!` : `You lost: ${reason}.`;
}

function networkText(network: NetworkInfo): string {
  const label = capital(network.label);
  return network.note === '' ? label : `${label} · ${network.note}`;
}

export function networkOptions(networks: readonly NetworkInfo[]): { value: string; label: string }[] {
  return networks.map((network) => ({ value: network.id, label: networkText(network) }));
}

export const ALGORITHM_NAMES: { readonly [algorithm in Algorithm]: string } = {
  mcts: 'Monte Carlo tree search',
  alphabeta: 'alpha-beta',
};

/** "alpha-beta, depth 14, 2 threads"; empty where a page is not told who searched. */
export function algorithmText({
  algorithm,
  depth,
  numThreads = 1,
}: Pick<SearchProgress, 'algorithm' | 'depth' | 'numThreads'>): string {
  if (algorithm === undefined) return '';
  const parts = [ALGORITHM_NAMES[algorithm]];
  if (algorithm === 'alphabeta' && depth !== undefined) parts.push(`depth ${Math.round(depth)}`);
  if (numThreads > 1) parts.push(`${numThreads} threads`);
  return parts.join(', ');
}

/** "Loading the network: 1.2 of 3.6 MB". */
export function downloadText({ doneBytes, totalBytes }: NonNullable<SearchProgress['download']>): string {
  const megabytes = (bytes: number): string => formatFixed(bytes / 1e6, 1);
  return `Loading the network: ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB`;
}

/** What stands before a move: "12.", or "12…" where a line begins with a move of the second player; or nothing. */
export function moveNumber(game: GameName, ply: number, beginsLine: boolean): string {
  if (GAME_INFO[game].moveNumbers === 'each') return `${ply + 1}.`;
  if (ply % 2 === 0) return `${ply / 2 + 1}.`;
  return beginsLine ? `${(ply - 1) / 2 + 1}…` : '';
}

/** Every value on the pages is the first player's; this says so. */
export function valueHelp(game: GameName): string {
  return `+1: ${sideName(game, 0)} wins, −1: ${sideName(game, 1)} wins`;
}

/**
 * A value or a distance to the end, seen by the first player: "+0.31", "#4", "#−2"; elsewhere "red in 3". A bound is one
 * from above for the side to move: "≤ +0.31" if that is the first player, else "≥ +0.31".
 */
export function scoreText(game: GameName, score: Pick<Candidate, 'value' | 'mateIn' | 'isBound'>, side: Side): string {
  return `${score.isBound === true ? (side === 0 ? '≤ ' : '≥ ') : ''}${exactScoreText(game, score, side)}`;
}

function exactScoreText(
  game: GameName,
  { value, mateIn = null }: Pick<Candidate, 'value' | 'mateIn'>,
  side: Side,
): string {
  const sign = side === 0 ? 1 : -1;
  if (mateIn === null || mateIn === 0) return formatSigned(sign * value);
  const moves = sign * mateIn;
  if (game === 'chess') return `#${moves < 0 ? '−' : ''}${Math.abs(moves)}`;
  return `${sideName(game, moves > 0 ? 0 : 1)} in ${Math.abs(moves)}`;
}
