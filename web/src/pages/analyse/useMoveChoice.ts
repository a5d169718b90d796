// Which root moves a search may look at. Another position forgets the choice.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MoveChoice } from '../../ui/Candidates';

export function useMoveChoice(positionKey: string): MoveChoice {
  const [only, setOnly] = useState<ReadonlySet<string>>(new Set());
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    setOnly(new Set());
    setExcluded(new Set());
  }, [positionKey]);
  return useMemo(
    () => ({
      only,
      excluded,
      onOnly: (move) => {
        setOnly(toggled(only, move));
        setExcluded(without(excluded, move));
      },
      onExclude: (move) => {
        setExcluded(toggled(excluded, move));
        setOnly(without(only, move));
      },
    }),
    [only, excluded],
  );
}

/** The moves to search; empty where all are. */
export function allowedMoves(
  legal: readonly string[],
  { only, excluded }: Pick<MoveChoice, 'only' | 'excluded'>,
): string[] {
  const wanted = only.size > 0 ? legal.filter((move) => only.has(move)) : legal.filter((move) => !excluded.has(move));
  return wanted.length === legal.length ? [] : wanted;
}

function toggled(set: ReadonlySet<string>, move: string): ReadonlySet<string> {
  return set.has(move) ? without(set, move) : new Set([...set, move]);
}

function without(set: ReadonlySet<string>, move: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== move));
}
