// Steps through a finished game: by hand, or by itself at a pace one can follow. Positions come from the engine.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { prefersStillness } from '../../app/theme';
import type { Engine, PositionView, GameMoves } from '../../engine/types';
import { PositionBook } from '../../game/positions';
import type { ReplayGame } from '../../live/messages';

const STEP_MS = 450;

export interface Replay {
  position: PositionView | null;
  ply: number;
  length: number;
  lastMove: string | null;
  isPlaying: boolean;
  setPly: (ply: number) => void;
  setPlaying: (isPlaying: boolean) => void;
}

export function useReplay(engine: Engine, game: ReplayGame | null, startsPlaying: boolean): Replay {
  const book = useMemo(() => new PositionBook(engine), [engine]);
  const [position, setPosition] = useState<PositionView | null>(null);
  const [ply, setPlyState] = useState(0);
  const [isPlaying, setPlaying] = useState(startsPlaying);
  const moves = game?.record.moves ?? [];

  useEffect(() => {
    const isStill = prefersStillness();
    setPlyState(startsPlaying && isStill ? moves.length : 0);
    setPlaying(startsPlaying && !isStill);
  }, [game]);

  useEffect(() => {
    if (game === null) return;
    let isCurrent = true;
    book.at(recordAt(game, ply)).then(
      (found) => isCurrent && setPosition(found),
      () => undefined, // the banner tells of a lost server; the next step asks again
    );
    return () => {
      isCurrent = false;
    };
  }, [book, game, ply]);

  useEffect(() => {
    if (!isPlaying || game === null || ply >= moves.length) return;
    const id = setTimeout(() => {
      if (document.visibilityState === 'visible') setPlyState(ply + 1);
    }, STEP_MS);
    return () => clearTimeout(id);
  }, [isPlaying, ply, game, position]);

  const setPly = useCallback((wanted: number) => {
    setPlaying(false);
    setPlyState(wanted);
  }, []);
  return { position, ply, length: moves.length, lastMove: moves[ply - 1] ?? null, isPlaying, setPly, setPlaying };
}

export function recordAt(game: ReplayGame, ply: number): GameMoves {
  return { game: game.record.game, start: game.record.start ?? null, moves: (game.record.moves ?? []).slice(0, ply) };
}
