// The review of a game: its value as a curve, what each side lost, the mistakes with what was better.

import { useEffect, useRef, useState } from 'preact/hooks';
import { formatRoute, playRoute } from '../../app/router';
import type { Engine, EngineProblem, GameName, NetworkInfo, GameMoves, SearchLimits } from '../../engine/types';
import type { PositionBook } from '../../game/positions';
import { asProblem } from '../../game/session';
import { matesText, whyText } from '../../review/annotate';
import {
  JUDGED,
  NAG_OF,
  reviewerOf,
  reviewGame,
  summaryOf,
  type Review,
  type ReviewedMove,
  type SideSummary,
} from '../../review/review';
import type { Path } from '../../study/tree';
import { formatPercent } from '../../ui/format';
import { glyphsOf } from '../../ui/glyphs';
import { Button, Meter, Panel, ProblemNotice, Select } from '../../ui/parts';
import { Table, type Column } from '../../ui/Table';
import { capital } from '../../ui/text';
import { ALGORITHM_NAMES, moveNumber, networkOptions, sideName } from '../../ui/words';
import { ReviewCurve } from './ReviewCurve';
import { WordsButton } from './WordsButton';

interface Place {
  game: GameName;
  book: PositionBook;
  path: Path;
  /** Ply of the position that the game begins with. */
  firstPly: number;
  onGo: (path: Path) => void;
  onPreview: (from: Path, moves: readonly string[]) => void;
  onWrite: (review: Review) => void;
}

interface Props extends Place {
  engine: Engine;
  networks: readonly NetworkInfo[];
  /** The line through where one stands, to its end. */
  line: GameMoves;
  /** Begins by itself: somebody asked for a review elsewhere. */
  isWanted: boolean;
}

const DEPTHS = [
  { value: '200', label: 'Quick: 200 nodes a move' },
  { value: '1000', label: 'Normal: 1,000 nodes a move' },
  { value: '10000', label: 'Thorough: 10,000 nodes a move' },
  { value: '0.3 s', label: 'Quick: 0.3 s a move, alpha-beta where it can' },
  { value: '2 s', label: 'Thorough: 2 s a move, alpha-beta where it can' },
] as const;

type Depth = (typeof DEPTHS)[number]['value'];

function limitsOf(depth: Depth): SearchLimits {
  return depth.endsWith(' s') ? { moveTimeMs: parseFloat(depth) * 1000 } : { simulations: Number(depth) };
}

export function ReviewPanel({ engine, networks, line, isWanted, ...place }: Props) {
  const [network, setNetwork] = useState(() => reviewerOf(networks));
  const [nodes, setNodes] = useState<Depth>('1000');
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const [review, setReview] = useState<Review | null>(null);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const start = async (): Promise<void> => {
    stop.current?.abort();
    const own = new AbortController();
    stop.current = own;
    setProblem(null);
    setReview(null);
    setProgress({ done: 0, total: line.moves.length + 1 });
    try {
      setReview(
        await reviewGame(
          engine,
          line,
          network,
          limitsOf(nodes),
          (done, total) => setProgress({ done, total }),
          own.signal,
        ),
      );
    } catch (error) {
      if (!own.signal.aborted) setProblem(asProblem(error));
    } finally {
      if (stop.current === own) setProgress(null);
    }
  };
  useEffect(() => {
    if (isWanted && line.moves.length > 0) void start();
  }, [isWanted, line.moves.length === 0]);

  const aside =
    progress === null ? (
      <Button icon="analyse" disabled={line.moves.length === 0} onClick={() => void start()}>
        {review === null ? 'Review this game' : 'Review again'}
      </Button>
    ) : (
      <Button
        icon="stop"
        onClick={() => {
          stop.current?.abort();
          setProgress(null);
        }}
      >
        Stop review
      </Button>
    );
  return (
    <Panel title="Review" aside={aside} class="review">
      <div class="stack">
        {problem !== null && <ProblemNotice problem={problem} onRetry={() => void start()} />}
        {progress !== null && (
          <Meter share={progress.done / progress.total} label={`${progress.done} of ${progress.total} positions`} />
        )}
        {review === null ? (
          <div class="two-up">
            <Select legend="Reviewed by" value={network} onChange={setNetwork} options={networkOptions(networks)} />
            <Select legend="How long" value={nodes} onChange={setNodes} options={DEPTHS} />
          </div>
        ) : (
          <Found {...place} engine={engine} review={review} onWorded={setReview} />
        )}
      </div>
    </Panel>
  );
}

type SummaryRow = SideSummary & { name: string };

const SUMMARY_COLUMNS: readonly Column<SummaryRow>[] = [
  { name: 'Side', cell: ({ name }) => name, isRowHead: true },
  {
    name: 'Accuracy',
    cell: ({ accuracy }) => formatPercent(accuracy === null ? null : accuracy / 100),
    isNumber: true,
  },
  { name: 'Inaccuracies', cell: ({ counts }) => counts.inaccuracy, isNumber: true },
  { name: 'Mistakes', cell: ({ counts }) => counts.mistake, isNumber: true },
  { name: 'Blunders', cell: ({ counts }) => counts.blunder, isNumber: true },
];

interface FoundProps extends Place {
  engine: Engine;
  review: Review;
  /** The same review in other words. */
  onWorded: (review: Review) => void;
}

function Found({ engine, review, onWorded, ...place }: FoundProps) {
  const { game, book, path, firstPly, onGo, onPreview, onWrite } = place;
  const [isWritten, setWritten] = useState(false);
  const judged = review.moves.filter(({ judgement }) => JUDGED.includes(judgement));
  const go = (ply: number): void => onGo(review.record.moves.slice(0, ply));
  const tryAgain = async (ply: number): Promise<void> => {
    const { text } = await book.at({ ...review.record, moves: review.record.moves.slice(0, ply) });
    location.hash = formatRoute(playRoute(game, text));
  };
  return (
    <>
      <ReviewCurve review={review} game={game} ply={path.length} onShow={go} />
      <Table
        label="Accuracy and mistakes of both sides"
        columns={SUMMARY_COLUMNS}
        rows={([0, 1] as const).map((side) => ({ name: capital(sideName(game, side)), ...summaryOf(review, side) }))}
        keyOf={({ name }) => name}
        isNarrow
      />
      {review.algorithm !== null && <p class="small muted">Searched by {ALGORITHM_NAMES[review.algorithm]}.</p>}
      {judged.length === 0 ? (
        <p class="small muted">No move lost 5 % of the expected score or more.</p>
      ) : (
        <ol class="mistakes" tabIndex={0} aria-label="Mistakes" onMouseLeave={() => onPreview([], [])}>
          {judged.map((move) => (
            <MistakeItem
              key={move.ply}
              game={game}
              move={move}
              number={`${moveNumber(game, firstPly + move.ply, true)} `}
              onShow={() => go(move.ply + 1)}
              onTry={() => void tryAgain(move.ply)}
              onPreview={(count) => onPreview(review.record.moves.slice(0, move.ply), move.betterLine.slice(0, count))}
            />
          ))}
        </ol>
      )}
      <div class="row">
        <Button
          disabled={isWritten || judged.length === 0}
          onClick={() => {
            onWrite(review);
            setWritten(true);
          }}
        >
          {isWritten ? 'Written into the game' : 'Write into the game'}
        </Button>
        {judged.length > 0 && <WordsButton engine={engine} review={review} onWorded={onWorded} />}
      </div>
    </>
  );
}

interface ItemProps {
  game: GameName;
  move: ReviewedMove;
  number: string;
  onShow: () => void;
  onTry: () => void;
  onPreview: (count: number) => void;
}

function MistakeItem({ game, move, number, onShow, onTry, onPreview }: ItemProps) {
  const why = whyText(move);
  return (
    <li class={`review-item ${move.judgement}`}>
      <div>
        <button type="button" class="mistake-move" onClick={onShow}>
          {number}
          {move.notation}
          {glyphsOf([NAG_OF[move.judgement] ?? 0])}
        </button>
        <span class="small">
          {' '}
          {capital(move.judgement)}: {formatPercent(move.lost)} of the expected score lost.{' '}
          {matesText(move, game).join(' ')}
        </span>
        {why !== '' && <span class="small muted"> {why}</span>}
      </div>
      <div class="small">
        Better:{' '}
        <span class="lines-inline">
          {move.betterNotation.map((text, index) => (
            <button
              key={index}
              type="button"
              onMouseEnter={() => onPreview(index + 1)}
              onFocus={() => onPreview(index + 1)}
              onBlur={() => onPreview(0)}
              onClick={() => onPreview(index + 1)}
            >
              {text}
            </button>
          ))}
        </span>
      </div>
      <Button onClick={onTry} label={`Try again before ${number}${move.notation}`}>
        Try again
      </Button>
    </li>
  );
}
