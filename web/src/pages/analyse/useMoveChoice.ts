// Which root moves a search may look at. Another position forgets the choice.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MoveChoice } from '../../ui/Candidates';

type Moves = ReadonlyMap<string, string>;
const NONE: Moves = new Map();

export function useMoveChoice(positionKey: string): MoveChoice {
  const [only, setOnly] = useState(NONE);
  const [excluded, setExcluded] = useState(NONE);
  const onAll = (): void => {
    setOnly(NONE);
    setExcluded(NONE);
  };
  useEffect(onAll, [positionKey]);
  return useMemo(
    () => ({
      only,
      excluded,
      onOnly: (move, notation) => {
        setOnly(toggled(only, move, notation));
        setExcluded(without(excluded, move));
      },
      onExclude: (move, notation) => {
        setExcluded(toggled(excluded, move, notation));
        setOnly(without(only, move));
      },
      onAll,
    }),
    [only, excluded],
  );
}

/** The moves to search; empty where all are, also where none would be left. */
export function allowedMoves(
  legal: readonly string[],
  { only, excluded }: { only: Pick<Moves, 'has' | 'size'>; excluded: Pick<Moves, 'has'> },
): string[] {
  const wanted = only.size > 0 ? legal.filter((move) => only.has(move)) : legal.filter((move) => !excluded.has(move));
  return wanted.length === legal.length ? [] : wanted;
}

function toggled(moves: Moves, move: string, notation: string): Moves {
  return moves.has(move) ? without(moves, move) : new Map([...moves, [move, notation]]);
}

function without(moves: Moves, move: string): Moves {
  return new Map([...moves].filter(([each]) => each !== move));
}
