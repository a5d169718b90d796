// Play a game against a network. What is allowed, who won and what is written down comes from the engine.

import { GAME_INFO } from '../../api/games';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../../app/App';
import { analyseRoute, formatRoute, playRoute, type Route } from '../../app/router';
import type { Arrow } from '../../boards/board';
import { GameBoard } from '../../boards/GameBoard';
import type { Engine, EngineProblem, GameName, PositionView, Side } from '../../engine/types';
import { saveSetup } from '../../game/saved';
import { asProblem, type GameSession } from '../../game/session';
import { canTakeBack, describeStrength, other, resultText, type GameSetup } from '../../game/state';
import { tagsOf } from '../../study/tags';
import { useNetworks, useTicker } from '../../ui/hooks';
import { MoveList, useStepKeys } from '../../ui/MoveList';
import { Button, Dialog, Notice, Panel, ProblemNotice } from '../../ui/parts';
import { capital } from '../../ui/text';
import { downloadText, outcomeText, sideName } from '../../ui/words';
import { EnginePanel, type Pointed } from './EnginePanel';
import { ExportDialog, namesOf } from './ExportDialog';
import { GuidePanel, RulesDialog } from './Teaching';
import { NewGameDialog } from './NewGameDialog';
import { PlayerStrip } from './PlayerStrip';
import { useSession } from './useSession';

type PlayRoute = Extract<Route, { page: 'play' }>;

export function PlayPage({ route, engine }: PageProps<PlayRoute>) {
  const networks = useNetworks(engine, route.game);
  const session = useSession(engine, route.game, networks.list);
  useEffect(() => {
    document.title = `Play ${GAME_INFO[route.game].title} · Milton`;
  }, [route.game]);
  return (
    <>
      {session === null && <h1>{GAME_INFO[route.game].title}</h1>}
      {session === null && networks.problem !== null && <ProblemNotice problem={networks.problem} />}
      {session === null && networks.problem === null && (
        <p class="muted" role="status">
          Looking for opponents…
        </p>
      )}
      {session !== null && <Table session={session} engine={engine} game={route.game} start={route.start} />}
    </>
  );
}

const EARLIEST_DRAW = 20; // plies

type Open = 'none' | 'new' | 'export' | 'resign' | 'rules';

function Table({
  session,
  engine,
  game,
  start,
}: {
  session: GameSession;
  engine: Engine;
  game: GameName;
  start: string | null;
}) {
  const wanted = useWantedStart(session, engine, game, start);
  const [open, setOpen] = useState<Open>('none');
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const { state, live } = session;
  const networks = useNetworks(engine, game, open);
  const tick = useCallback(() => session.tick(), [session]);
  useTicker(state.clock !== null && state.clock.running !== null, 100, tick);
  const ply = state.shownPly ?? state.moves.length;
  const show = useCallback((wanted: number) => session.show(wanted), [session]);
  useStepKeys(ply, state.moves.length, show);

  const bottom: Side = state.flipped ? 1 : 0;
  const begin = async (setup: GameSetup): Promise<void> => {
    const start = setup.start === null ? null : (await engine.position({ game, start: setup.start, moves: [] })).text;
    saveSetup({ ...setup, start: null });
    setOpen('none');
    session.newGame({ ...setup, start });
  };
  const canMove = session.isHumanToMove && state.shownPly === null && session.shown === session.live;
  const looked = useLookAt(session, pointed);
  const shown = looked ?? session.shown;
  const shownPly = looked === null ? ply : (pointed?.ply ?? ply);
  return (
    <div class={`table-layout game-${game}`}>
      <div class="board-column">
        <PlayerStrip session={session} side={other(bottom)} />
        {shown === null ? (
          <div class="board-square board-waiting" />
        ) : (
          <GameBoard
            game={game}
            position={shown}
            lastMove={state.moves[shownPly - 1] ?? null}
            flipped={state.flipped}
            onMove={canMove && looked === null ? (move) => session.play(move) : null}
            line={pointed?.ply === shownPly ? pointed.line : []}
            arrows={hintArrows(session, shownPly)}
            label={`${GAME_INFO[game].title} board, you are ${sideName(game, state.setup.human)}`}
          />
        )}
        <PlayerStrip session={session} side={bottom} />
        <div class="row actions">
          <Button icon="plus" kind="primary" onClick={() => setOpen('new')}>
            New game
          </Button>
          <Button icon="undo" disabled={!canTakeBack(state)} onClick={() => session.takeBack()}>
            Take back
          </Button>
          <Button icon="flip" onClick={() => session.flip()}>
            Flip
          </Button>
          <Button
            icon="bulb"
            disabled={!session.isHumanToMove || session.isThinking || state.shownPly !== null}
            onClick={() => void session.hint()}
          >
            Hint
          </Button>
          <Button
            icon="flag"
            disabled={state.ending !== null || state.moves.length === 0}
            onClick={() => setOpen('resign')}
          >
            Resign
          </Button>
          {game === 'chess' && (
            <Button
              icon="info"
              disabled={!session.isHumanToMove || session.isThinking || state.moves.length < EARLIEST_DRAW}
              onClick={() => void session.offerDraw()}
            >
              Offer draw
            </Button>
          )}
          <Button icon="export" onClick={() => setOpen('export')}>
            Export
          </Button>
          <Button icon="info" onClick={() => setOpen('rules')}>
            Rules
          </Button>
        </div>
      </div>
      <div class="side-column">
        <h1>{GAME_INFO[game].title}</h1>
        {wanted.problem !== null && <ProblemNotice problem={wanted.problem} />}
        {wanted.ask !== null && (
          <Notice
            kind="warn"
            action={
              <>
                <Button kind="primary" onClick={wanted.ask}>
                  Start there
                </Button>
                <Button onClick={wanted.forget}>Keep playing</Button>
              </>
            }
          >
            <p>A game is in progress. Starting from the chosen position ends it.</p>
          </Notice>
        )}
        <Status session={session} game={game} />
        {game === 'santorini' && <GuidePanel session={session} />}
        <Panel title="Moves">
          <MoveList
            game={game}
            notation={live?.notation ?? []}
            ply={ply}
            onShow={show}
            firstPly={(live?.ply ?? 0) - (live?.moves.length ?? 0)}
          />
        </Panel>
        <EnginePanel session={session} game={game} onPoint={setPointed} />
      </div>
      {open === 'new' && (
        <NewGameDialog
          engine={engine}
          game={game}
          networks={networks.list ?? []}
          current={state.setup}
          onStart={begin}
          onClose={() => setOpen('none')}
        />
      )}
      {open === 'resign' && (
        <Dialog title="Resign this game?" onClose={() => setOpen('none')}>
          <p>The game counts as lost. You can review it, or take back and go on.</p>
          <div class="dialog-foot">
            <Button kind="quiet" onClick={() => setOpen('none')}>
              Keep playing
            </Button>
            <Button
              kind="primary"
              onClick={() => {
                setOpen('none');
                session.resign();
              }}
            >
              Resign the game
            </Button>
          </div>
        </Dialog>
      )}
      {open === 'rules' && <RulesDialog game={game} onClose={() => setOpen('none')} />}
      {open === 'export' && <ExportDialog engine={engine} state={state} onClose={() => setOpen('none')} />}
    </div>
  );
}

/** An address may name a position to begin from; a game in progress gives way only if the person says so. */
function useWantedStart(session: GameSession, engine: Engine, game: GameName, start: string | null) {
  const [position, setPosition] = useState<PositionView | null>(null);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const forget = (): void => {
    setPosition(null);
    history.replaceState(history.state, '', formatRoute(playRoute(game)));
  };
  const begin = (view: PositionView): void => {
    session.newGame({ ...session.state.setup, start: view.text, human: view.sideToMove });
    forget();
  };
  useEffect(() => {
    if (start === null) return;
    engine.position({ game, start, moves: [] }).then(
      (view) => {
        setProblem(null);
        if (session.state.ending !== null || session.state.moves.length === 0) begin(view);
        else setPosition(view);
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  }, [start]);
  return { ask: position === null ? null : () => begin(position), forget, problem };
}

/** Lines begin where the search looked. While one is pointed at, the board shows that place, and the game does not move. */
function useLookAt(session: GameSession, pointed: Pointed | null): PositionView | null {
  const [found, setFound] = useState<{ ply: number; position: PositionView } | null>(null);
  const here = session.state.shownPly ?? session.state.moves.length;
  const ply = pointed === null || pointed.ply === here ? null : pointed.ply;
  useEffect(() => {
    setFound(null);
    if (ply === null) return;
    let isCurrent = true;
    session.positionAt(ply).then(
      (position) => isCurrent && setFound({ ply, position }),
      () => undefined,
    ); // a preview may fail
    return () => {
      isCurrent = false;
    };
  }, [session, ply]);
  return found !== null && found.ply === ply ? found.position : null;
}

/** A hint is drawn on the board until the next move. */
function hintArrows({ view }: GameSession, ply: number): Arrow[] {
  if (view === null || !view.isHint || view.ply !== ply) return [];
  const [best] = view.progress.candidates;
  const total = Math.max(
    1,
    view.progress.candidates.reduce((sum, { visits }) => sum + visits, 0),
  );
  return best === undefined ? [] : [{ move: best.move, share: best.visits / total }];
}

function Status({ session, game }: { session: GameSession; game: GameName }) {
  const { state, problem } = session;
  if (problem !== null) return <ProblemNotice problem={problem} onRetry={() => session.retry()} />;
  if (state.ending !== null) {
    const kind = state.ending.winner === state.setup.human ? 'good' : 'info';
    const tags = tagsOf(namesOf(state), resultText(state.ending), state.begunMs);
    const review = state.moves.length > 0 && (
      <a
        class="button primary"
        href={formatRoute(analyseRoute(game, { start: state.setup.start, moves: state.moves }, true, tags))}
      >
        Review the game
      </a>
    );
    return (
      <Notice kind={kind} action={review}>
        <p>
          <strong>{outcomeText(game, state.ending, state.setup.human)}</strong>
        </p>
      </Notice>
    );
  }
  if (state.shownPly !== null) {
    return (
      <Notice action={<Button onClick={() => session.show(state.moves.length)}>Back to the game</Button>}>
        <p>You are looking at an earlier position.</p>
      </Notice>
    );
  }
  const opponent = `${state.setup.networkLabel}, ${describeStrength(state.setup.strength)}`;
  const download = session.view?.progress.download;
  const turn = session.isHumanToMove
    ? 'Your move.'
    : session.live === null
      ? 'Setting up…'
      : download !== undefined
        ? `${downloadText(download)}…`
        : `${capital(state.setup.networkLabel)} is thinking…`;
  // Read aloud when it changes, so that nobody has to look for the opponent's move.
  const answer =
    session.isHumanToMove && state.movers.at(-1) !== state.setup.human ? (session.live?.notation.at(-1) ?? null) : null;
  return (
    <Notice action={session.isFollowing && <Button onClick={() => session.takeOver()}>Play in this tab</Button>}>
      <p class="turn">
        <strong>{turn}</strong>
        {answer !== null && ` It played ${answer}.`}
        {session.remark !== '' && ` ${session.remark}`}
        {session.live?.inCheck && session.isHumanToMove ? ' You are in check.' : ''}
      </p>
      {session.isFollowing && <p>This game goes on in another tab.</p>}
      <p>
        You play {sideName(game, state.setup.human)} against {opponent}.
      </p>
    </Notice>
  );
}
