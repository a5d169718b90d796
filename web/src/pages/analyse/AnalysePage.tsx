// Look into a position or a game: paste it, step through it, let one or two networks search it.

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../../app/App';
import { formatRoute, GAMES, type Route } from '../../app/router';
import { GameBoard } from '../../boards/GameBoard';
import type { Engine, EngineProblem, GameName, NetworkInfo, PositionView, Record as GameRecord } from '../../engine/types';
import { PositionBook } from '../../game/positions';
import { asProblem } from '../../game/session';
import { useNetworks } from '../../ui/hooks';
import { MoveList, useStepKeys } from '../../ui/MoveList';
import { Button, Notice, Panel, ProblemNotice, Segments } from '../../ui/parts';
import { GAME_TITLES, outcomeText } from '../../ui/words';
import { Pane } from './Pane';

type AnalyseRoute = Extract<Route, { page: 'analyse' }>;

export function AnalysePage({ route, engine }: PageProps<AnalyseRoute>) {
  useEffect(() => {
    document.title = 'Analyse · Milton';
  }, []);
  const choose = (game: GameName): void => {
    location.hash = formatRoute({ page: 'analyse', game, text: null });
  };
  return (
    <div class="analyse">
      <div class="page-head">
        <h1>Analyse</h1>
        <Segments legend="Game" hideLegend value={route.game} onChange={choose} options={GAMES.map((game) => ({ value: game, label: GAME_TITLES[game] }))} />
      </div>
      <Study key={`${route.game}${route.text}`} engine={engine} game={route.game} text={route.text} />
    </div>
  );
}

const EXAMPLES: { readonly [game in GameName]: string } = {
  chess: 'A FEN, or a PGN such as\n1. e4 e5 2. Nf3 Nc6 3. Bb5',
  santorini: 'A position such as\n10000/11002/01100/01100/00100 b3e5 a4b2 1\nor moves such as c3 b2 d4 d2 c3c4b4',
  connect_four: 'A position such as\n7/7/7/7/3o3/2xx3 o\nor moves such as d d c e',
};

function Study({ engine, game, text }: { engine: Engine; game: GameName; text: string | null }) {
  const [record, setRecord] = useState<GameRecord>({ game, start: null, moves: [] });
  const [ply, setPly] = useState(0);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const [line, setLine] = useState<readonly string[]>([]);
  const [flipped, setFlipped] = useState(false);
  const { position, whole } = usePositions(engine, record, ply, setProblem);
  const networks = useNetworks(engine, game);
  const searching = networks.list?.filter((network) => network.limits !== 'none') ?? [];

  const load = useCallback(async (pasted: string) => {
    try {
      const found = await engine.importGame(game, pasted);
      setRecord(found);
      setPly(found.moves.length);
      setProblem(null);
    } catch (error) {
      setProblem(asProblem(error));
    }
  }, [engine, game]);
  useEffect(() => {
    if (text !== null) void load(text);
  }, [text]);
  useStepKeys(ply, record.moves.length, setPly);

  /** A move on the board goes on from what is shown; what came after it is another game. */
  const play = (move: string): void => {
    setLine([]);
    if (record.moves[ply] !== move) setRecord({ ...record, moves: [...record.moves.slice(0, ply), move] });
    setPly(ply + 1);
  };
  return (
    <div class={`table-layout game-${game}`}>
      <div class="board-column">
        {position === null ? (
          <div class="board-square board-waiting" />
        ) : (
          <GameBoard game={game} position={position} lastMove={record.moves[ply - 1] ?? null} flipped={flipped} line={line}
            onMove={position.outcome === null ? play : null} label={`${GAME_TITLES[game]} board to analyse`} />
        )}
        <div class="row actions">
          <Button icon="flip" onClick={() => setFlipped(!flipped)}>Flip</Button>
          <Button icon="first" onClick={() => { setRecord({ game, start: null, moves: [] }); setPly(0); setProblem(null); }}>Start position</Button>
        </div>
        {position !== null && <p class="small muted position-text"><code>{position.text}</code></p>}
      </div>
      <div class="side-column">
        {problem !== null && <ProblemNotice problem={problem} />}
        {position?.outcome != null && <Notice><p>{outcomeText(game, position.outcome, null)}</p></Notice>}
        <div class="two-up">
          <PasteBox game={game} onLoad={load} />
          <Panel title="Moves"><MoveList game={game} notation={whole?.notation ?? []} ply={ply} onShow={setPly} firstPly={(whole?.ply ?? 0) - record.moves.length} /></Panel>
        </div>
        {networks.problem !== null && networks.list === null && <ProblemNotice problem={networks.problem} />}
        {position !== null && searching.length > 0 && (
          <Panes engine={engine} game={game} record={{ ...record, moves: record.moves.slice(0, ply) }} position={position} networks={searching} onPoint={setLine} onPlay={play} />
        )}
      </div>
    </div>
  );
}

function usePositions(engine: Engine, record: GameRecord, ply: number, onProblem: (problem: EngineProblem) => void): { position: PositionView | null; whole: PositionView | null } {
  const [book] = useState(() => new PositionBook(engine));
  const [position, setPosition] = useState<PositionView | null>(null);
  const [whole, setWhole] = useState<PositionView | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const fail = (error: unknown): void => { if (isCurrent) onProblem(asProblem(error)); };
    book.at({ ...record, moves: record.moves.slice(0, ply) }).then((found) => { if (isCurrent) setPosition(found); }, fail);
    book.at(record).then((found) => { if (isCurrent) setWhole(found); }, fail);
    return () => { isCurrent = false; };
  }, [record, ply]);
  return { position, whole };
}

function PasteBox({ game, onLoad }: { game: GameName; onLoad: (text: string) => Promise<void> }) {
  const [pasted, setPasted] = useState('');
  return (
    <Panel title="Paste a position or a game">
      <form class="stack" onSubmit={(event) => { event.preventDefault(); void onLoad(pasted); }}>
        <textarea class="input" aria-label="Position or game as text" placeholder={EXAMPLES[game]} value={pasted} rows={4}
          onInput={(event) => setPasted(event.currentTarget.value)} spellcheck={false} />
        <button type="submit" class="button" disabled={pasted.trim() === ''}>Load</button>
      </form>
    </Panel>
  );
}

interface PanesProps {
  engine: Engine;
  game: GameName;
  record: GameRecord;
  position: PositionView;
  networks: readonly NetworkInfo[];
  onPoint: (line: readonly string[]) => void;
  onPlay: (move: string) => void;
}

function Panes({ networks, ...rest }: PanesProps) {
  const [first, setFirst] = useState(networks[0]?.id ?? '');
  const [second, setSecond] = useState(networks[1]?.id ?? networks[0]?.id ?? '');
  const [compares, setCompares] = useState(false);
  return (
    <>
      <div class="row"><Button pressed={compares} onClick={() => setCompares(!compares)}>Compare two networks</Button></div>
      <div class={`analyse-panes ${compares ? 'two' : ''}`}>
        <Pane {...rest} networks={networks} title={compares ? 'Search A' : 'Search'} network={first} onNetwork={setFirst} />
        {compares && <Pane {...rest} networks={networks} title="Search B" network={second} onNetwork={setSecond} />}
      </div>
    </>
  );
}
