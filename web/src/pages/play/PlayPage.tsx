// Play a game against a network. What is allowed, who won and what is written down comes from the engine.

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../../app/App';
import type { Route } from '../../app/router';
import { GameBoard } from '../../boards/GameBoard';
import type { Engine, GameName, Side } from '../../engine/types';
import { saveSetup } from '../../game/saved';
import type { GameSession } from '../../game/session';
import { canTakeBack, describeStrength, other, type GameSetup } from '../../game/state';
import { useNetworks, useTicker } from '../../ui/hooks';
import { MoveList, useStepKeys } from '../../ui/MoveList';
import { Button, Notice, Panel, ProblemNotice } from '../../ui/parts';
import { capital } from '../../ui/text';
import { GAME_TITLES, outcomeText, sideName } from '../../ui/words';
import { EnginePanel } from './EnginePanel';
import { ExportDialog } from './ExportDialog';
import { NewGameDialog } from './NewGameDialog';
import { PlayerStrip } from './PlayerStrip';
import { useSession } from './useSession';

type PlayRoute = Extract<Route, { page: 'play' }>;

export function PlayPage({ route, engine }: PageProps<PlayRoute>) {
  const networks = useNetworks(engine, route.game);
  const session = useSession(engine, route.game, networks.list);
  useEffect(() => {
    document.title = `Play ${GAME_TITLES[route.game]} · Milton`;
  }, [route.game]);
  return (
    <>
      {session === null && <h1>{GAME_TITLES[route.game]}</h1>}
      {session === null && networks.problem !== null && <ProblemNotice problem={networks.problem} />}
      {session === null && networks.problem === null && <p class="muted" role="status">Looking for opponents…</p>}
      {session !== null && <Table session={session} engine={engine} game={route.game} />}
    </>
  );
}

type Open = 'none' | 'new' | 'export';

function Table({ session, engine, game }: { session: GameSession; engine: Engine; game: GameName }) {
  const [open, setOpen] = useState<Open>('none');
  const [line, setLine] = useState<readonly string[]>([]);
  const { state, live, shown } = session;
  const networks = useNetworks(engine, game, open);
  const tick = useCallback(() => session.tick(), [session]);
  useTicker(state.clock !== null && state.clock.running !== null, 100, tick);
  const ply = state.shownPly ?? state.moves.length;
  const show = useCallback((wanted: number) => session.show(wanted), [session]);
  useStepKeys(ply, state.moves.length, show);

  const bottom: Side = state.flipped ? 1 : 0;
  const begin = (setup: GameSetup): void => {
    saveSetup(setup);
    setOpen('none');
    session.newGame(setup);
  };
  const canMove = session.isHumanToMove && state.shownPly === null && session.shown === session.live;
  const view = session.view;
  const viewIsHere = view !== null && view.ply === ply;
  return (
    <div class={`table-layout game-${game}`}>
      <div class="board-column">
        <PlayerStrip session={session} side={other(bottom)} />
        {shown === null ? (
          <div class="board-square board-waiting" />
        ) : (
          <GameBoard game={game} position={shown} lastMove={state.moves[ply - 1] ?? null} flipped={state.flipped}
            onMove={canMove ? (move) => session.play(move) : null} line={viewIsHere ? line : []}
            label={`${GAME_TITLES[game]} board, you are ${sideName(game, state.setup.human)}`} />
        )}
        <PlayerStrip session={session} side={bottom} />
        <div class="row actions">
          <Button icon="plus" kind="primary" onClick={() => setOpen('new')}>New game</Button>
          <Button icon="undo" disabled={!canTakeBack(state)} onClick={() => session.takeBack()}>Take back</Button>
          <Button icon="flip" onClick={() => session.flip()}>Flip</Button>
          <Button icon="bulb" disabled={!session.isHumanToMove || session.isThinking || state.shownPly !== null} onClick={() => void session.hint()}>Hint</Button>
          <Button icon="flag" disabled={state.ending !== null || state.moves.length === 0} onClick={() => session.resign()}>Resign</Button>
          <Button icon="export" onClick={() => setOpen('export')}>Export</Button>
        </div>
      </div>
      <div class="side-column">
        <h1>{GAME_TITLES[game]}</h1>
        <Status session={session} game={game} />
        <Panel title="Moves">
          <MoveList game={game} notation={live?.notation ?? []} ply={ply} onShow={show} />
        </Panel>
        <EnginePanel session={session} game={game} onPoint={setLine} />
      </div>
      {open === 'new' && <NewGameDialog game={game} networks={networks.list ?? []} current={state.setup} onStart={begin} onClose={() => setOpen('none')} />}
      {open === 'export' && <ExportDialog engine={engine} state={state} onClose={() => setOpen('none')} />}
    </div>
  );
}

function Status({ session, game }: { session: GameSession; game: GameName }) {
  const { state, problem } = session;
  if (problem !== null) return <ProblemNotice problem={problem} onRetry={() => session.retry()} />;
  if (state.ending !== null) {
    const kind = state.ending.winner === state.setup.human ? 'good' : 'info';
    return <Notice kind={kind}><p><strong>{outcomeText(game, state.ending, state.setup.human)}</strong></p></Notice>;
  }
  if (state.shownPly !== null) {
    return <Notice action={<Button onClick={() => session.show(state.moves.length)}>Back to the game</Button>}><p>You are looking at an earlier position.</p></Notice>;
  }
  const opponent = `${state.setup.networkLabel}, ${describeStrength(state.setup.strength)}`;
  const turn = session.isHumanToMove ? 'Your move.' : session.live === null ? 'Setting up…' : `${capital(state.setup.networkLabel)} is thinking…`;
  return (
    <Notice>
      <p class="turn"><strong>{turn}</strong>{session.live?.inCheck && session.isHumanToMove ? ' You are in check.' : ''}</p>
      <p>You play {sideName(game, state.setup.human)} against {opponent}.</p>
    </Notice>
  );
}
