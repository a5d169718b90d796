// The newest game of the loop, played out on a board. The next one follows when it is over.

import { useEffect, useState } from 'preact/hooks';
import type { Engine } from '../../engine/types';
import type { LiveGame } from '../../live/messages';
import { Panel } from '../../ui/parts';
import { reasonText } from '../../ui/words';
import { playersText } from './players';
import { ReplayBoard } from './ReplayBoard';
import { useReplay } from './useReplay';

const REST_MS = 2_500;

export function LivePanel({ engine, live, isRunning }: { engine: Engine; live: LiveGame | null; isRunning: boolean }) {
  const [shown, setShown] = useState<LiveGame | null>(live);
  const replay = useReplay(engine, shown?.game ?? null, true);
  const isOver = shown === null || replay.ply >= replay.length;
  useEffect(() => {
    if (live === null || live.number === shown?.number) return;
    if (shown === null || shown.game.record.game !== live.game.record.game) {
      setShown(live);
      return;
    }
    if (!isOver) return;
    const id = setTimeout(() => setShown(live), REST_MS);
    return () => clearTimeout(id);
  }, [live, shown, isOver]);

  if (shown === null || replay.position === null) {
    return (
      <Panel title="A game of the loop" class="live">
        <div class="board-frame">
          <div class="board-square board-placeholder">
            <p class="muted small">
              {isRunning ? 'The next finished game is shown here.' : 'No game was kept to show.'}
            </p>
          </div>
        </div>
      </Panel>
    );
  }
  const { game } = shown;
  return (
    <Panel
      title={`${isRunning ? 'Live' : 'Last game'}: ${shown.kind === 'arena' ? 'arena' : 'self-play'}`}
      class="live"
      aside={
        <span class="small muted number">
          iteration {shown.iteration} · {replay.ply}/{replay.length}
        </span>
      }
    >
      <ReplayBoard
        game={game.record.game}
        position={replay.position}
        lastMove={replay.lastMove}
        label="Game of the loop"
      />
      <p class="live-line small" title={game.players.join(' – ')}>
        <span class="players">{playersText(game.players)}</span>
        {isOver ? (
          <strong>
            {game.result} · {reasonText(game.endReason)}
          </strong>
        ) : (
          <span>{game.notation[replay.ply - 1] ?? '…'}</span>
        )}
      </p>
    </Panel>
  );
}
