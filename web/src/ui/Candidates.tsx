// The moves that a search considers: visits, prior, value. Pointing at one shows its line on the board and changes
// nothing else. Values are the first player's here as on the whole page.

import { useState } from 'preact/hooks';
import type { Candidate, GameName, SearchProgress, Side } from '../engine/types';
import { formatPercent, formatShort } from './format';
import { Button } from './parts';
import { Term } from './Term';
import { scoreText, valueHelp } from './words';

interface Props {
  game: GameName;
  progress: SearchProgress;
  /** The side to move where the search looked. */
  side: Side;
  onPoint: (line: readonly string[]) => void;
  numShown?: number;
  /** Makes moves playable from the list. On a touch screen the first tap previews and the second plays. */
  onPlay?: (move: string) => void;
  choice?: MoveChoice;
}

/** Which moves the search may look at, each with its notation: a move that is left out is in no list any more. */
export interface MoveChoice {
  only: ReadonlyMap<string, string>;
  excluded: ReadonlyMap<string, string>;
  onOnly: (move: string, notation: string) => void;
  onExclude: (move: string, notation: string) => void;
  onAll: () => void;
}

const LINE_LENGTH = 5;
const BOUND_HELP = '≤ and ≥: alpha-beta found that the move is not better than that, and looked no closer.';

/** What the search is confined to, and the way back to all moves. */
export function ChosenMoves({ choice }: { choice: MoveChoice }) {
  const { only, excluded, onOnly, onExclude, onAll } = choice;
  const [moves, toggle, words] =
    only.size > 0 ? [only, onOnly, 'Search only'] : ([excluded, onExclude, 'Left out'] as const);
  if (moves.size === 0) return null;
  return (
    <div class="row chosen-moves" role="group" aria-label={words}>
      <span class="small muted">{words}</span>
      {[...moves].map(([move, notation]) => (
        <Button key={move} kind="quiet" icon="cross" onClick={() => toggle(move, notation)}>
          {notation}
        </Button>
      ))}
      <Button kind="quiet" onClick={onAll}>
        Search all moves
      </Button>
    </div>
  );
}

export function Candidates({ game, progress, side, onPoint, numShown = 6, onPlay, choice }: Props) {
  const [tapped, setTapped] = useState<string | null>(null);
  const shown = progress.candidates.slice(0, numShown);
  const total = Math.max(
    1,
    progress.candidates.reduce((sum, candidate) => sum + candidate.visits, 0),
  );
  const isAlphaBeta = progress.algorithm === 'alphabeta';
  const hasVisits = progress.candidates.some(({ visits }) => visits > 0);
  const leave = (): void => {
    setTapped(null);
    onPoint([]);
  };
  const row = (candidate: Candidate) => {
    const { move, notation } = candidate;
    const point = (): void => onPoint(candidate.pv.slice(0, LINE_LENGTH));
    const click = (event: MouseEvent): void => {
      const isFirstTap = (event as PointerEvent).pointerType === 'touch' && tapped !== move;
      point();
      if (isFirstTap) setTapped(move);
      else onPlay?.(move);
    };
    const isOut =
      choice?.excluded.has(move) === true || (choice !== undefined && choice.only.size > 0 && !choice.only.has(move));
    return (
      <tr key={move} class={isOut ? 'left-out' : ''} onMouseEnter={point}>
        <td>
          <button
            type="button"
            class="candidate"
            onFocus={point}
            onBlur={leave}
            onClick={click}
            aria-label={`${notation}: show its line on the board`}
          >
            {notation}
          </button>
        </td>
        {hasVisits && (
          <td>
            <div class="visit-bar">
              <div style={{ width: `${(candidate.visits / total) * 100}%` }} />
              <span>
                {formatShort(candidate.visits)} <small>{formatPercent(candidate.visits / total)}</small>
              </span>
            </div>
          </td>
        )}
        <td class="right">{formatPercent(candidate.prior)}</td>
        {/* A move that was never tried has no value of its own. */}
        {hasVisits && <td class="right">{candidate.visits === 0 ? '–' : scoreText(game, candidate, side)}</td>}
        {choice !== undefined && (
          <td class="move-choice">
            <Button
              kind="quiet"
              icon="check"
              label={`Search only ${notation}`}
              pressed={choice.only.has(move)}
              onClick={() => choice.onOnly(move, notation)}
            />
            <Button
              kind="quiet"
              icon="cross"
              label={`Leave out ${notation}`}
              pressed={choice.excluded.has(move)}
              onClick={() => choice.onExclude(move, notation)}
            />
          </td>
        )}
      </tr>
    );
  };
  return (
    <table class="table candidates" onMouseLeave={leave}>
      <thead>
        <tr>
          <th scope="col">Move</th>
          {hasVisits && (
            <th scope="col">{isAlphaBeta ? <Term word="node">Nodes</Term> : <Term word="visit">Visits</Term>}</th>
          )}
          <th scope="col" class="right">
            <Term word="prior">Prior</Term>
          </th>
          {hasVisits && (
            <th scope="col" class="right">
              <span title={isAlphaBeta ? `${valueHelp(game)}. ${BOUND_HELP}` : valueHelp(game)}>Value</span>
            </th>
          )}
          {choice !== undefined && (
            <th scope="col">
              <span class="visually-hidden">Include or leave out</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{shown.map(row)}</tbody>
    </table>
  );
}
