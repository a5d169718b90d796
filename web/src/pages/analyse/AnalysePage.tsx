// A study: games with variations that are kept in the browser, stepped through, and searched by one or two networks.

import { GAME_INFO } from '../../api/games';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PageProps } from '../../app/App';
import { analyseRoute, formatRoute, GAMES, type AnalyseRoute } from '../../app/router';
import type { Arrow } from '../../boards/board';
import { GameBoard } from '../../boards/GameBoard';
import type { Engine, GameName, PositionView } from '../../engine/types';
import { asProblem } from '../../game/session';
import { currentGame, recordAt, withGame, withGames, type Study as StudyState } from '../../study/study';
import { annotated } from '../../review/annotate';
import { EMPTY_GAME, lineThrough, type Path } from '../../study/tree';
import { useNetworks } from '../../ui/hooks';
import { Stepper } from '../../ui/MoveList';
import { Button, Notice, Panel, ProblemNotice, Segments, type Option } from '../../ui/parts';
import { useNarrow } from '../../ui/viewport';
import { outcomeText } from '../../ui/words';
import { AnnotationBox } from './AnnotationBox';
import { GamesBar, PasteBox } from './GamesBar';
import { LearntPanel } from './LearntPanel';
import { MoveTree } from './MoveTree';
import { Panes } from './Panes';
import { ReviewPanel } from './ReviewPanel';
import { useStudy, type StudyDesk } from './useStudy';

export function AnalysePage({ route, engine }: PageProps<AnalyseRoute>) {
  useEffect(() => {
    document.title = 'Analyse · Milton';
  }, []);
  const choose = (game: GameName): void => {
    location.hash = formatRoute(analyseRoute(game));
  };
  return (
    <div class="analyse">
      <div class="page-head">
        <h1>Analyse</h1>
        <Segments
          legend="Game"
          hideLegend
          value={route.game}
          onChange={choose}
          options={GAMES.map((game) => ({ value: game, label: GAME_INFO[game].title }))}
        />
      </div>
      <Study key={route.game} engine={engine} route={route} />
    </div>
  );
}

const NO_ARROWS: readonly Arrow[] = [];

type Section = 'moves' | 'search' | 'review';

/** On a narrow page one at a time below the board. Hidden ones go on: a search, a review, a text half written. */
const SECTIONS: readonly Option<Section>[] = [
  { value: 'moves', label: 'Moves' },
  { value: 'search', label: 'Search' },
  { value: 'review', label: 'Review' },
];

function Study({ engine, route }: { engine: Engine; route: AnalyseRoute }) {
  const { game } = route;
  const desk = useStudy(engine, game, route);
  const { study, position, problem, remarks, go, play, change } = desk;
  const [line, setLine] = useState<readonly string[]>([]);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [arrows, setArrows] = useState(NO_ARROWS);
  const [flipped, setFlipped] = useState(false);
  const isNarrow = useNarrow();
  const [section, setSection] = useState<Section>('search');
  const isHidden = (wanted: Section): boolean => isNarrow && section !== wanted;
  useEffect(() => {
    if (desk.isReviewWanted) setSection('review');
  }, [desk.isReviewWanted]);
  const networks = useNetworks(engine, game);
  const searching = networks.list?.filter((network) => network.limits !== 'none') ?? [];
  const tree = currentGame(study);
  const record = recordAt(game, study);
  const wholeLine = useMemo(() => lineThrough(tree, study.path), [tree, study.path]);
  const firstPly = (position?.ply ?? 0) - (position?.moves.length ?? 0);
  const here = JSON.stringify(record);
  useEffect(() => {
    setLine([]);
    setPreview(null);
    setArrows(NO_ARROWS);
  }, [here]);
  const previewed = usePreview(desk, game, study, preview);
  const previewLine = (moves: readonly string[]): void =>
    setPreview(moves.length === 0 ? null : { from: study.path, moves });
  const shown = previewed ?? position;
  const playHere = (moves: readonly string[]): void => {
    setLine([]);
    setPreview(null);
    void play(moves);
  };
  return (
    <div class={`table-layout game-${game}`}>
      <div class="board-column">
        <div
          class="board-hold"
          onPointerDownCapture={() => {
            setLine([]);
            setPreview(null);
          }}
        >
          {shown === null ? (
            <div class="board-square board-waiting" />
          ) : (
            <GameBoard
              game={game}
              position={shown}
              lastMove={(previewed === null ? study.path : (preview?.moves ?? [])).at(-1) ?? null}
              flipped={flipped}
              line={line}
              arrows={previewed === null ? arrows : NO_ARROWS}
              onMove={previewed === null && shown.outcome === null ? (move) => playHere([move]) : null}
              label={`${GAME_INFO[game].title} board to analyse`}
            />
          )}
          {previewed !== null && <p class="preview-note">Preview</p>}
        </div>
        {isHidden('moves') && (
          <Stepper ply={study.path.length} length={wholeLine.length} onShow={(ply) => go(wholeLine.slice(0, ply))} />
        )}
        <div class="row actions">
          <Button icon="flip" onClick={() => setFlipped(!flipped)}>
            Flip
          </Button>
          <Button icon="plus" onClick={() => change((known) => withGames(known, [EMPTY_GAME]))}>
            New game
          </Button>
        </div>
        {position !== null && (
          <p class="small muted position-text">
            <code>{position.text}</code>
          </p>
        )}
      </div>
      <div class="side-column">
        {problem !== null && <ProblemNotice problem={problem} />}
        {remarks.length > 0 && (
          <Notice kind="warn">
            {remarks.map((remark) => (
              <p key={remark}>{remark}</p>
            ))}
          </Notice>
        )}
        {position?.outcome != null && (
          <Notice>
            <p>{outcomeText(game, position.outcome, null)}</p>
          </Notice>
        )}
        {isNarrow && (
          <div class="section-bar">
            <Segments legend="Section" hideLegend value={section} onChange={setSection} options={SECTIONS} />
          </div>
        )}
        <div class="side-section" hidden={isHidden('moves')}>
          <GamesBar game={game} study={study} onChange={change} />
          <div class="two-up">
            <Panel title="Moves">
              <MoveTree
                game={game}
                tree={tree}
                path={study.path}
                onGo={go}
                onKeyStep={desk.stepBy}
                firstPly={firstPly}
              />
              <AnnotationBox
                tree={tree}
                path={study.path}
                onChange={(changed, path) => change((known) => withGame(known, changed(currentGame(known)), path))}
              />
            </Panel>
            <PasteBox game={game} onLoad={desk.load} />
          </div>
        </div>
        <div class="side-section" hidden={isHidden('review')}>
          {position !== null && searching.length > 0 && (
            <ReviewPanel
              key={study.index}
              engine={engine}
              game={game}
              book={desk.book}
              networks={searching}
              line={{ ...record, moves: [...wholeLine] }}
              path={study.path}
              firstPly={firstPly}
              isWanted={desk.isReviewWanted}
              onGo={go}
              onPreview={(from, moves) => setPreview(moves.length === 0 ? null : { from, moves })}
              onWrite={(review) => change((known) => withGame(known, annotated(currentGame(known), review)))}
            />
          )}
        </div>
        {networks.problem !== null && networks.list === null && <ProblemNotice problem={networks.problem} />}
        <div class="side-section" hidden={isHidden('search')}>
          {position !== null && searching.length > 0 && (
            <Panes
              engine={engine}
              game={game}
              book={desk.book}
              record={record}
              position={position}
              networks={searching}
              onPoint={setLine}
              onPreview={previewLine}
              onPlay={playHere}
              onArrows={setArrows}
            />
          )}
          {position !== null && engine.kind === 'server' && (
            <LearntPanel engine={engine} game={game} networks={searching} record={record} position={position} />
          )}
        </div>
      </div>
    </div>
  );
}

/** Moves that somebody points at, and where they begin. */
interface Preview {
  from: Path;
  moves: readonly string[];
}

/** The position after the moves that somebody points at; null: nobody does. */
function usePreview(desk: StudyDesk, game: GameName, study: StudyState, preview: Preview | null): PositionView | null {
  const [found, setFound] = useState<{ key: string; view: PositionView } | null>(null);
  const record = useMemo(
    () => ({ ...recordAt(game, study), moves: [...(preview?.from ?? []), ...(preview?.moves ?? [])] }),
    [study, preview],
  );
  const key = JSON.stringify(record);
  useEffect(() => {
    if (preview === null) return;
    let isCurrent = true;
    desk.book.at(record).then(
      (view) => isCurrent && setFound({ key, view }),
      (error: unknown) => console.debug(asProblem(error).message),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, preview === null]);
  return preview !== null && found?.key === key ? found.view : null;
}
