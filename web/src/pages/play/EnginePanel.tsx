// What the opponent's search saw: how it judges the game, which moves it looked at, and how often.

import { useEffect } from 'preact/hooks';
import type { GameName } from '../../engine/types';
import type { EngineView, GameSession } from '../../game/session';
import { Candidates } from '../../ui/Candidates';
import { formatCount, formatShort } from '../../ui/format';
import { Notice, Panel } from '../../ui/parts';
import { WdlBar } from '../../ui/WdlBar';

interface Props {
  session: GameSession;
  game: GameName;
  onPoint: (line: readonly string[]) => void;
}

export function EnginePanel({ session, game, onPoint }: Props) {
  const { view } = session;
  const speed = view === null || view.progress.elapsedMs < 50 ? null : (view.progress.simulations / view.progress.elapsedMs) * 1000;
  const hasSearched = view === null || view.progress.wdl !== null;
  const aside = view !== null && hasSearched && (
    <span class="small muted number">
      {formatCount(view.progress.simulations)} nodes{speed !== null && <> · {formatShort(speed)}/s</>}
    </span>
  );
  return (
    <Panel title={view?.isHint ? 'Hint' : 'Its view'} aside={aside}>
      <div class="stack">
        {hasSearched && <WdlBar game={game} progress={view?.progress ?? null} side={view?.side ?? 0} />}
        {view?.progress.notice !== undefined && <Notice kind="warn"><p>{view.progress.notice}</p></Notice>}
        {view === null ? (
          <p class="muted small">When it has searched, you see here what it thought. Ask for a hint to see what it would play in your place.</p>
        ) : !hasSearched ? (
          <NoSearch view={view} onPoint={onPoint} />
        ) : (
          <>
            <Candidates progress={view.progress} onPoint={(line) => { if (line.length > 0 && session.state.ending === null) showWhere(session, view.ply); onPoint(line); }} />
            <p class="muted small">{view.isHint ? 'For your move.' : `For its move at ply ${view.ply + 1}.`} Point at a move to see its line on the board.</p>
          </>
        )}
      </div>
    </Panel>
  );
}

/** Methods that do not search have a move and no reasons. */
function NoSearch({ view, onPoint }: { view: EngineView; onPoint: Props['onPoint'] }) {
  const { move } = view.progress;
  useEffect(() => {
    if (view.isHint && move !== undefined) onPoint([move]);
    return () => onPoint([]);
  }, [view]);
  return (
    <p class="muted small">
      {view.isHint && move !== undefined ? <>It would play <strong>{move}</strong>. </> : null}
      It plays without a search, so there are no candidates to show.
    </p>
  );
}

/** Lines belong to the position that was searched; pointing at one puts that position on the board. */
function showWhere(session: GameSession, ply: number): void {
  if ((session.state.shownPly ?? session.state.moves.length) !== ply) session.show(ply);
}
