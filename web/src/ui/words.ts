// Names of games, sides and endings as the pages say them. One home for these words.

import { capital } from './text';
import type { GameName, NetworkInfo, Outcome, Side } from '../engine/types';

export const GAME_TITLES: { readonly [game in GameName]: string } = {
  chess: 'Chess',
  santorini: 'Santorini',
  connect_four: 'Connect Four',
};

const SIDE_NAMES: { readonly [game in GameName]: readonly [string, string] } = {
  chess: ['White', 'Black'],
  santorini: ['round heads', 'pointed hats'],
  connect_four: ['yellow', 'red (ringed)'],
};

export function sideName(game: GameName, side: Side): string {
  return SIDE_NAMES[game][side];
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
