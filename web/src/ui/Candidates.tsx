// The moves that a search considers: visits, prior, value. Pointing at one shows its line on the board.

import type { SearchProgress } from '../engine/types';
import { formatPercent, formatShort, formatSigned } from './format';

interface Props {
  progress: SearchProgress;
  onPoint: (line: readonly string[]) => void;
  numShown?: number;
  /** Makes moves playable from the list. */
  onPlay?: (move: string) => void;
}

const LINE_LENGTH = 5;

export function Candidates({ progress, onPoint, numShown = 6, onPlay }: Props) {
  const shown = progress.candidates.slice(0, numShown);
  const total = Math.max(1, progress.candidates.reduce((sum, candidate) => sum + candidate.visits, 0));
  return (
    <table class="table candidates" onMouseLeave={() => onPoint([])}>
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">Visits</th>
          <th scope="col" class="right"><span title="What the network thought before the search">Prior</span></th>
          <th scope="col" class="right"><span title="−1 lost to +1 won, seen by the side to move">Value</span></th>
        </tr>
      </thead>
      <tbody>
        {shown.map((candidate) => {
          const point = (): void => onPoint(candidate.pv.slice(0, LINE_LENGTH));
          return (
            <tr key={candidate.move} onMouseEnter={point}>
              <td>
                <button type="button" class="candidate" onFocus={point} onBlur={() => onPoint([])} onClick={() => (onPlay ? onPlay(candidate.move) : point())}
                  title={candidate.pv.join(' ')} aria-label={`${candidate.notation}: show its line on the board`}>
                  {candidate.notation}
                </button>
              </td>
              <td>
                <div class="visit-bar">
                  <div style={{ width: `${(candidate.visits / total) * 100}%` }} />
                  <span>{formatShort(candidate.visits)} <small>{formatPercent(candidate.visits / total)}</small></span>
                </div>
              </td>
              <td class="right">{formatPercent(candidate.prior)}</td>
              <td class="right">{formatSigned(candidate.value)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
