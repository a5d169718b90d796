// One network's search of the position: judgement, candidates, and how their visits grew.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Arrow } from '../../boards/board';
import { LineChart, type Series } from '../../charts/LineChart';
import type { Algorithm, Engine, GameName, NetworkInfo, PositionView, GameMoves } from '../../engine/types';
import type { PositionBook } from '../../game/positions';
import { arrowsOf, type ArrowKind } from '../../game/arrows';
import { topCurves, type Moment } from '../../game/growth';
import { Candidates, ChosenMoves } from '../../ui/Candidates';
import { formatCount, formatFixed, formatShort } from '../../ui/format';
import { Button, Notice, Panel, ProblemNotice, Segments, Select, type Option } from '../../ui/parts';
import { WdlBar } from '../../ui/WdlBar';
import { ALGORITHM_NAMES, algorithmText, downloadText, networkOptions } from '../../ui/words';
import { capital } from '../../ui/text';
import { Lines } from './Lines';
import { SearchTree } from './SearchTree';
import { useAnalysis } from './useAnalysis';
import { allowedMoves, useMoveChoice } from './useMoveChoice';

export interface PaneProps {
  engine: Engine;
  game: GameName;
  book: PositionBook;
  record: GameMoves;
  position: PositionView;
  networks: readonly NetworkInfo[];
  network: string;
  title: string;
  onNetwork: (id: string) => void;
  onPoint: (line: readonly string[]) => void;
  onPreview: (moves: readonly string[]) => void;
  onPlay: (moves: readonly string[]) => void;
  /** Null where another pane draws the arrows. */
  onArrows: ((arrows: readonly Arrow[]) => void) | null;
}

const ALGORITHMS: readonly Algorithm[] = ['mcts', 'alphabeta'];
const ARROW_KINDS: readonly Option<ArrowKind>[] = [
  { value: 'visits', label: 'Visits' },
  { value: 'policy', label: 'Policy' },
];

const NUM_CURVES = 5;
const DASHES: readonly (number[] | undefined)[] = [undefined, [8, 4], [2, 3], [8, 3, 2, 3], [14, 4]];

export function Pane({
  engine,
  game,
  book,
  record,
  position,
  networks,
  network,
  title,
  onNetwork,
  onPoint,
  onPreview,
  onPlay,
  onArrows,
}: PaneProps) {
  const [isRunning, setRunning] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [algorithm, setAlgorithm] = useState<Algorithm>('mcts');
  const [arrows, setArrows] = useState<ArrowKind>('visits');
  const isOver = position.outcome !== null;
  const choice = useMoveChoice(JSON.stringify(record));
  const onlyMoves = useMemo(() => allowedMoves(position.legalMoves, choice), [position, choice.only, choice.excluded]);
  const { progress, history, problem } = useAnalysis(
    engine,
    record,
    network,
    isRunning && !isOver,
    attempt,
    onlyMoves,
    algorithm,
  );
  useEffect(() => onArrows?.(progress === null ? [] : arrowsOf(progress, arrows)), [progress, arrows]);
  const isDone = progress?.done === true || problem !== null;
  const aside = (
    <Button
      kind={isRunning ? 'plain' : 'primary'}
      icon={isRunning ? 'stop' : 'play'}
      disabled={isOver}
      onClick={() => setRunning(!isRunning)}
    >
      {isRunning ? 'Stop' : 'Search'}
    </Button>
  );
  return (
    <Panel title={title} aside={aside}>
      <div class="stack">
        <Select legend="Network" value={network} onChange={onNetwork} options={networkOptions(networks)} />
        {game === 'chess' && (
          <Segments
            legend="Search by"
            value={algorithm}
            onChange={setAlgorithm}
            options={ALGORITHMS.map((each) => ({ value: each, label: capital(ALGORITHM_NAMES[each]) }))}
          />
        )}
        {problem !== null && (
          <ProblemNotice
            problem={problem}
            onRetry={() => {
              setRunning(true);
              setAttempt(attempt + 1);
            }}
          />
        )}
        {progress?.notice !== undefined && (
          <Notice kind="warn">
            <p>{progress.notice}</p>
          </Notice>
        )}
        <WdlBar game={game} progress={progress} side={position.sideToMove} />
        <p class="small muted number" role="status">
          {isOver
            ? 'The game is over here.'
            : progress === null
              ? isRunning
                ? 'Starting…'
                : 'Press Search to let it think about this position.'
              : progress.download !== undefined
                ? downloadText(progress.download)
                : `${formatCount(progress.nodes)} nodes in ${formatFixed(progress.elapsedMs / 1000, 1)} s · ${formatShort((progress.nodes / Math.max(1, progress.elapsedMs)) * 1000)}/s${algorithmText(progress) === '' ? '' : ` · ${algorithmText(progress)}`}${isDone ? ' · finished' : ''}`}
        </p>
        {progress !== null && (
          <Lines
            game={game}
            book={book}
            record={record}
            candidates={progress.candidates}
            side={position.sideToMove}
            ply={position.ply}
            onPreview={onPreview}
            onPlay={onPlay}
          />
        )}
        {progress !== null && (
          <Candidates
            game={game}
            progress={progress}
            side={position.sideToMove}
            onPoint={onPoint}
            onPlay={(move) => onPlay([move])}
            numShown={7}
            choice={choice}
          />
        )}
        <ChosenMoves choice={choice} />
        {progress !== null && progress.algorithm === 'mcts' && (
          <SearchTree
            engine={engine}
            game={game}
            record={record}
            network={network}
            isRunning={isRunning && !isDone}
            onPreview={onPreview}
            onPlay={onPlay}
          />
        )}
        {progress !== null && onArrows !== null && progress.algorithm !== 'alphabeta' && (
          <Segments legend="Arrows on the board" value={arrows} onChange={setArrows} options={ARROW_KINDS} />
        )}
        {history.length > 1 && progress !== null && (
          <Growth
            history={history}
            counted={progress.algorithm === 'alphabeta' ? 'Nodes' : 'Visits'}
            names={new Map(progress.candidates.map(({ move, notation }) => [move, notation]))}
          />
        )}
      </div>
    </Panel>
  );
}

interface GrowthProps {
  history: readonly Moment[];
  /** What each move has some of. */
  counted: 'Nodes' | 'Visits';
  names: ReadonlyMap<string, string>;
}

function Growth({ history, counted, names }: GrowthProps) {
  const x = useMemo(() => history.map((moment) => moment.nodes), [history]);
  const series = useMemo(
    (): Series[] =>
      topCurves(history, NUM_CURVES).map((curve, index) => {
        const dash = DASHES[index];
        const line = {
          label: names.get(curve.move) ?? curve.move,
          values: curve.shares,
          colour: index + 1,
          format: (value: number | null) => (value === null ? '–' : `${Math.round(value)} %`),
        };
        return dash === undefined ? line : { ...line, dash };
      }),
    [history],
  );
  return (
    <div>
      <h3>{counted} per move over the search</h3>
      <LineChart
        label={`Share of ${counted.toLowerCase()} of the ${series.length} moves that have most, over the search`}
        x={x}
        xLabel="Nodes"
        series={series}
        height={170}
        range={[0, null]}
      />
    </div>
  );
}
