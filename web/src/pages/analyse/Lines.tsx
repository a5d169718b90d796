// Principal variations as text. Pointing at a move puts the position after it on the board; choosing it adds the moves
// up to there to the study.

import { GAME_INFO } from '../../api/games';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Candidate, GameName, GameMoves, Side } from '../../engine/types';
import type { PositionBook } from '../../game/positions';
import { moveNumber, scoreText } from '../../ui/words';

interface Props {
  game: GameName;
  book: PositionBook;
  record: GameMoves;
  candidates: readonly Candidate[];
  side: Side;
  /** Ply of the position that the lines begin at. */
  ply: number;
  onPreview: (moves: readonly string[]) => void;
  onPlay: (moves: readonly string[]) => void;
}

const NUM_LINES = 3;
const MOST_MOVES = 12;
/** Lines change with every report; people read slower. */
const PAUSE_MS = 400;

interface WrittenLine {
  candidate: Candidate;
  moves: readonly string[];
  notation: readonly string[];
}

export function Lines({ game, book, record, candidates, side, ply, onPreview, onPlay }: Props) {
  const lines = useWrittenLines(book, record, candidates);
  if (lines.length === 0) return null;
  return (
    <ol class="lines" aria-label="Best lines" onMouseLeave={() => onPreview([])}>
      {lines.map(({ candidate, moves, notation }) => (
        <li key={candidate.move}>
          <span class="line-score">{scoreText(game, candidate, side)}</span>
          {notation.map((text, index) => {
            const upToHere = moves.slice(0, index + 1);
            const number = GAME_INFO[game].moveNumbers === 'each' ? '' : moveNumber(game, ply + index, index === 0);
            const shown = number === '' ? text : `${number} ${text}`;
            return (
              <button
                key={index}
                type="button"
                onMouseEnter={() => onPreview(upToHere)}
                onFocus={() => onPreview(upToHere)}
                onBlur={() => onPreview([])}
                onClick={() => onPlay(upToHere)}
                aria-label={`${shown}: play ${notation.slice(0, index + 1).join(' ')}`}
              >
                {shown}
              </button>
            );
          })}
        </li>
      ))}
    </ol>
  );
}

/** The engine writes the moves as people do; a line that it has not written yet is shown as soon as it has. */
function useWrittenLines(book: PositionBook, record: GameMoves, candidates: readonly Candidate[]): WrittenLine[] {
  const [lines, setLines] = useState<WrittenLine[]>([]);
  const newest = useRef(candidates);
  newest.current = candidates;
  const key = JSON.stringify(record);
  const has = candidates.length > 0;
  useEffect(() => {
    setLines([]);
    if (!has) return;
    let isCurrent = true;
    const write = async (): Promise<void> => {
      const wanted = newest.current.slice(0, NUM_LINES).filter(({ visits }) => visits > 0);
      const written = await Promise.all(
        wanted.map(async (candidate) => {
          const moves = candidate.pv.slice(0, MOST_MOVES);
          const view = await book.at({ ...record, moves: [...record.moves, ...moves] });
          return { candidate, moves, notation: view.notation.slice(record.moves.length) };
        }),
      );
      if (isCurrent) setLines(written);
    };
    const again = (): void => void write().catch(() => undefined); // the pane itself says what is wrong with the engine
    again();
    const timer = setInterval(again, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [book, key, has]);
  return lines;
}
