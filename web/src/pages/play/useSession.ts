// Ties a game session to a page: makes it, draws again when it changes, keeps it when the page leaves.

import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Engine, GameName, NetworkInfo } from '../../engine/types';
import { loadGame, loadSetup, onGameElsewhere } from '../../game/saved';
import { GameSession } from '../../game/session';
import { newGame, type GameSetup } from '../../game/state';
import { onConnectionChange } from '../../live/connection';

export function useSession(engine: Engine, game: GameName, networks: NetworkInfo[] | null): GameSession | null {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const session = useRef<GameSession | null>(null);
  if (session.current === null && networks !== null) {
    session.current = new GameSession(engine, loadGame(game) ?? newGame(defaultSetup(game, networks)));
  }
  const current = session.current;
  useEffect(() => {
    if (current === null) return;
    const forget = [
      onGameElsewhere(game, (state) => current.follow(state)),
      current.subscribe(() => redraw(undefined)),
      onConnectionChange((isOnline) => isOnline && current.problem !== null && current.retry()),
    ];
    const leave = (): void => current.leave();
    addEventListener('pagehide', leave);
    void current.start();
    return () => {
      removeEventListener('pagehide', leave);
      for (const end of forget) end();
      current.leave();
    };
  }, [current]);
  return current;
}

export function defaultSetup(game: GameName, networks: readonly NetworkInfo[]): GameSetup {
  const stored = loadSetup(game);
  if (stored !== null && networks.some((network) => network.id === stored.network)) return stored;
  const [network] = networks;
  return {
    game,
    start: null,
    network: network?.id ?? 'uniform',
    networkLabel: network?.label ?? 'Uniform search',
    strength: { kind: 'level', level: 3 },
    human: 0,
  };
}
