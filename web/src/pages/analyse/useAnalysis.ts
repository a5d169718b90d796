// A search of the position on the board that goes on until somebody stops it, with the history of its visits.

import { useEffect, useState } from 'preact/hooks';
import type { Algorithm, Engine, EngineProblem, GameMoves, SearchLimits, SearchProgress } from '../../engine/types';
import { grow, type Moment } from '../../game/growth';
import { asProblem } from '../../game/session';

export interface Analysis {
  progress: SearchProgress | null;
  history: readonly Moment[];
  problem: EngineProblem | null;
}

const NOTHING: Analysis = { progress: null, history: [], problem: null };

export function useAnalysis(
  engine: Engine,
  record: GameMoves,
  network: string | null,
  isRunning: boolean,
  attempt: number,
  /** Empty: all. */
  onlyMoves: readonly string[],
  algorithm: Algorithm,
): Analysis {
  const [analysis, setAnalysis] = useState<Analysis>(NOTHING);
  const key = JSON.stringify([record, network, onlyMoves, algorithm]);
  useEffect(() => setAnalysis(NOTHING), [key]);
  useEffect(() => {
    if (!isRunning || network === null) return;
    const stop = new AbortController();
    setAnalysis(NOTHING);
    const keep = (progress: SearchProgress): void => {
      if (!stop.signal.aborted)
        setAnalysis((known) => ({ progress, history: grow(known.history, progress), problem: null }));
    };
    engine.search(record, network, limitsOf(onlyMoves, algorithm), keep, stop.signal).then(keep, (error: unknown) => {
      if (!stop.signal.aborted) setAnalysis((known) => ({ ...known, problem: asProblem(error) }));
    });
    return () => stop.abort();
  }, [engine, key, isRunning, attempt]);
  return analysis;
}

function limitsOf(onlyMoves: readonly string[], algorithm: Algorithm): SearchLimits {
  const limits: SearchLimits = { infinite: true };
  if (onlyMoves.length > 0) limits.onlyMoves = [...onlyMoves];
  if (algorithm === 'alphabeta') limits.algorithm = algorithm;
  return limits;
}
