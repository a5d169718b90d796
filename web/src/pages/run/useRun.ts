// The run as the server tells it, kept fresh while the page is open.

import { useEffect, useState } from 'preact/hooks';
import { applyMessage, NO_RUN, type RunState } from '../../live/runState';
import { watchRun } from '../../live/runStream';

export interface WatchedRun {
  state: RunState;
  /** The server answers, but has no run. */
  refusal: { message: string; hint: string } | null;
  isLoading: boolean;
}

const NOTHING: WatchedRun = { state: NO_RUN, refusal: null, isLoading: true };

export function useRun(name: string | null): WatchedRun {
  const [watched, setWatched] = useState<WatchedRun>(NOTHING);
  useEffect(() => {
    setWatched(NOTHING);
    const stream = watchRun(name, {
      message: (message) =>
        setWatched((known) => ({ state: applyMessage(known.state, message), refusal: null, isLoading: false })),
      refused: (refusal) => setWatched((known) => ({ ...known, refusal, isLoading: false })),
    });
    return () => stream.close();
  }, [name]);
  return watched;
}
