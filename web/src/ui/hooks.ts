// Small hooks that several pages use.

import { useEffect, useReducer, useState } from 'preact/hooks';
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

/** Keys of the whole page, except where a field, a dialog or a board needs them; null: the key does nothing. */
export function usePageKeys(actionOf: (key: string) => (() => void) | null, dependencies: readonly unknown[]): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement | null;
      const isTaken = target?.closest('input, textarea, select, dialog, [role="grid"], [role="radiogroup"]') != null;
      if (isTaken || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = actionOf(event.key);
      if (action === null) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, dependencies);
}

/** The time in seconds, and a new drawing so often: for words like "2 min ago". */
export function useNow(ms: number): number {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const id = setInterval(() => draw(undefined), ms);
    return () => clearInterval(id);
  }, [ms]);
  return Date.now() / 1000;
}

/** Draws again so often while `isActive`. */
export function useTicker(isActive: boolean, ms: number, onTick: () => void): void {
  useEffect(() => {
    if (!isActive) return;
    const id = setInterval(onTick, ms);
    return () => clearInterval(id);
  }, [isActive, ms, onTick]);
}
