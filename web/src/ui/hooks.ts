// Small hooks that several pages use.

import { useEffect, useState } from 'preact/hooks';
import type { Engine, EngineProblem, GameName, NetworkInfo } from '../engine/types';
import { asProblem } from '../game/session';
import { onConnectionChange } from '../live/connection';

export interface Networks {
  list: NetworkInfo[] | null;
  problem: EngineProblem | null;
}

/** The networks that can play a game; asked again when a lost server is back, and when a page wants them fresh. */
export function useNetworks(engine: Engine, game: GameName, wanted: unknown = null): Networks {
  const [networks, setNetworks] = useState<Networks>({ list: null, problem: null });
  useEffect(() => {
    let isCurrent = true;
    const ask = (): void => {
      engine.networks(game).then(
        (list) => isCurrent && setNetworks({ list, problem: null }),
        (error: unknown) => isCurrent && setNetworks((known) => ({ list: known.list, problem: asProblem(error) })),
      );
    };
    ask();
    const forget = onConnectionChange((isOnline) => isOnline && ask());
    return () => {
      isCurrent = false;
      forget();
    };
  }, [engine, game, wanted]);
  return networks;
}

/** Draws again so often while `isActive`. */
export function useTicker(isActive: boolean, ms: number, onTick: () => void): void {
  useEffect(() => {
    if (!isActive) return;
    const id = setInterval(onTick, ms);
    return () => clearInterval(id);
  }, [isActive, ms, onTick]);
}
