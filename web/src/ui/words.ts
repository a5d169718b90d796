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

export function networkText(network: NetworkInfo): string {
  const label = capital(network.label);
  return network.note === '' ? label : `${label} · ${network.note}`;
}

export const ALGORITHM_NAMES: { readonly [algorithm in Algorithm]: string } = {
  mcts: 'Monte Carlo tree search',
  alphabeta: 'alpha-beta',
};

/** "alpha-beta, depth 14"; empty where a page is not told who searched. */
export function algorithmText({ algorithm, depth }: Pick<SearchProgress, 'algorithm' | 'depth'>): string {
  if (algorithm === undefined) return '';
  const name = ALGORITHM_NAMES[algorithm];
  return algorithm === 'alphabeta' && depth !== undefined ? `${name}, depth ${Math.round(depth)}` : name;
}

/** "Loading the network: 1.2 of 3.6 MB". */
export function downloadText({ doneBytes, totalBytes }: NonNullable<SearchProgress['download']>): string {
  const megabytes = (bytes: number): string => formatFixed(bytes / 1e6, 1);
  return `Loading the network: ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB`;
}

/** Every value on the pages is the first player's; this says so. */
export function valueHelp(game: GameName): string {
  return `+1: ${sideName(game, 0)} wins, −1: ${sideName(game, 1)} wins`;
}

/** A value or a distance to the end, seen by the first player: "+0.31", "#4", "#−2"; elsewhere "red in 3". */
export function scoreText(
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
