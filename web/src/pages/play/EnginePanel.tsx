// What the opponent's search saw: how it judges the game, which moves it looked at, and how often.

import { useEffect, useState } from 'preact/hooks';
import { readStored, writeStored } from '../../app/storage';
import type { GameName } from '../../engine/types';
import type { EngineView, GameSession } from '../../game/session';
import { Candidates } from '../../ui/Candidates';
import { countText, formatShort } from '../../ui/format';
import { Button, Notice, Panel } from '../../ui/parts';
import { WdlBar } from '../../ui/WdlBar';
import { algorithmText, downloadText, moveNumber } from '../../ui/words';

interface Props {
  session: GameSession;
  game: GameName;
  /** A line from the position at a ply; null: nobody points at one. */
  onPoint: (pointed: Pointed | null) => void;
}

export interface Pointed {
  ply: number;
  line: readonly string[];
}

export function EnginePanel({ session, game, onPoint }: Props) {
  const { view } = session;
  const [isHidden, setHidden] = useState(() => readStored('play.hidden', isBoolean) ?? false);
  const hide = (): void => {
    writeStored('play.hidden', !isHidden);
    setHidden(!isHidden);
  };
  const speed =
    view === null || view.progress.elapsedMs < 50 ? null : (view.progress.nodes / view.progress.elapsedMs) * 1000;
  const hasSearched = view === null || view.progress.wdl !== null;
  const aside = view !== null && hasSearched && (
    <span class="small muted number">
      {countText(view.progress.nodes, 'node')}
      {speed !== null && <> · {formatShort(speed)}/s</>}
    </span>
  );
  return (
    <Panel
      title={view?.isHint ? 'Hint' : 'Its view'}
      aside={
        <span class="row">
          {!isHidden && aside}
          <Button kind="quiet" pressed={isHidden} onClick={hide}>
            {isHidden ? 'Show' : 'Hide'}
          </Button>
        </span>
      }
    >
      {isHidden && view?.isHint !== true ? (
        <p class="muted small">Hidden while you play.</p>
      ) : (
        <div class="stack">
          {hasSearched && <WdlBar game={game} progress={view?.progress ?? null} side={view?.side ?? 0} />}
          {view?.progress.notice !== undefined && (
            <Notice kind="warn">
              <p>{view.progress.notice}</p>
            </Notice>
          )}
          {view === null ? (
            <p class="muted small">
              When it has searched, you see here what it thought. Ask for a hint to see what it would play in your
              place.
            </p>
          ) : view.progress.download !== undefined ? (
            <p class="muted small">{downloadText(view.progress.download)}</p>
          ) : !hasSearched ? (
            <NoSearch view={view} onPoint={onPoint} />
          ) : (
            <>
              <Candidates
                game={game}
                progress={view.progress}
                side={view.side}
                onPoint={(line) => onPoint(line.length === 0 ? null : { ply: view.ply, line })}
              />
              <p class="muted small">
                {howText(view)} {view.isHint ? 'For your move.' : forMoveText(session, game, view.ply)} Point at a move
                to see its line on the board; the game stays as it is.
              </p>
            </>
          )}
        </div>
      )}
    </Panel>
  );
}

/** Who searched; the lowest levels look at the position alone. */
function howText({ progress }: EngineView): string {
  if (progress.algorithm === 'mcts' && progress.candidates.every(({ visits }) => visits === 0))
    return 'At this level it tries no moves: it trusts its first impression, the prior.';
  const algorithm = algorithmText(progress);
  return algorithm === '' ? '' : `Searched by ${algorithm}.`;
}

/** "For its move 1… c6." */
function forMoveText({ live }: GameSession, game: GameName, ply: number): string {
  const notation = live?.notation[ply];
  if (live === null || notation === undefined) return 'For its move.';
  return `For its move ${moveNumber(game, live.ply - live.moves.length + ply, true)} ${notation}.`;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** Methods that do not search have a move and no reasons. */
function NoSearch({ view, onPoint }: { view: EngineView; onPoint: Props['onPoint'] }) {
  const { move } = view.progress;
  useEffect(() => {
    if (view.isHint && move !== undefined) onPoint({ ply: view.ply, line: [move] });
    return () => onPoint(null);
  }, [view]);
  return (
    <p class="muted small">
      {view.isHint && move !== undefined ? (
        <>
          It would play <strong>{move}</strong>.{' '}
        </>
      ) : null}
      It plays without a search, so there are no candidates to show.
    </p>
  );
}
