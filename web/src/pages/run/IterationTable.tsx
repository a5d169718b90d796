// Every iteration in numbers, newest first, a page at a time: a thousand of them cost no more than one page.

import { useState } from 'preact/hooks';
import type { IterationRow } from '../../live/messages';
import { formatCount, formatDuration, formatFixed, formatPercent, formatSigned } from '../../ui/format';
import { Button, Panel } from '../../ui/parts';
import { Term } from '../../ui/Term';

interface Props {
  rows: readonly IterationRow[];
  selected: number | null;
  onPick: (iteration: number) => void;
}

const PAGE_SIZE = 15;

export function IterationTable({ rows, selected, onPick }: Props) {
  const [page, setPage] = useState(0);
  const numPages = Math.max(1, Math.ceil(rows.length / PAGE_SIZE));
  const current = Math.min(page, numPages - 1);
  const end = rows.length - current * PAGE_SIZE;
  const shown = rows.slice(Math.max(0, end - PAGE_SIZE), end).reverse();
  if (rows.length === 0) return null;
  const aside = numPages > 1 && (
    <div class="row picker">
      <Button icon="previous" label="Newer iterations" disabled={current === 0} onClick={() => setPage(current - 1)} />
      <span class="small muted number">
        {current + 1} / {numPages}
      </span>
      <Button
        icon="next"
        label="Older iterations"
        disabled={current === numPages - 1}
        onClick={() => setPage(current + 1)}
      />
    </div>
  );
  return (
    <Panel title="Iterations" class="wide" aside={aside}>
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Table of iterations">
        <table class="table iterations as-cards">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col" class="right">
                Positions
              </th>
              <th scope="col" class="right">
                Draws
              </th>
              <th scope="col" class="right">
                <Term word="ply">Plies</Term>
              </th>
              <th scope="col" class="right">
                <Term word="policy">Policy</Term> loss
              </th>
              <th scope="col" class="right">
                <Term word="value">Value</Term> loss
              </th>
              <th scope="col">
                <Term word="arena">Arena</Term>
              </th>
              <th scope="col" class="right">
                Score
              </th>
              <th scope="col" class="right">
                Elo
              </th>
              <th scope="col" class="right">
                Time
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Line key={row.iteration} row={row} isSelected={row.iteration === selected} onPick={onPick} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Line({
  row,
  isSelected,
  onPick,
}: {
  row: IterationRow;
  isSelected: boolean;
  onPick: (iteration: number) => void;
}) {
  const { selfplay, training, arena, rating } = row;
  const seconds = Object.values(row.stageSeconds).reduce((sum, each) => sum + each, 0);
  return (
    <tr class={isSelected ? 'selected' : ''} aria-selected={isSelected}>
      <td data-label="Iteration">
        <button
          type="button"
          class="candidate"
          onClick={() => onPick(row.iteration)}
          aria-label={`Replay iteration ${row.iteration}`}
        >
          {row.iteration}
        </button>
      </td>
      <td data-label="Positions" class="right">
        {formatCount(selfplay?.numPositions)}
      </td>
      <td data-label="Draws" class="right">
        {formatPercent(selfplay?.drawRate)}
      </td>
      <td data-label="Plies" class="right">
        {formatFixed(selfplay?.meanPlies, 0)}
      </td>
      <td data-label="Policy loss" class="right">
        {formatFixed(training?.holdoutPolicyLoss ?? training?.policyLoss)}
      </td>
      <td data-label="Value loss" class="right">
        {formatFixed(training?.holdoutValueLoss ?? training?.valueLoss)}
      </td>
      <td data-label="Arena" class="number whole">
        {arena === null ? (
          '–'
        ) : (
          <>
            +{arena.wins} ={arena.draws} −{arena.losses}
          </>
        )}{' '}
        {row.wasPromoted && <span class="badge gold">★ promoted</span>}
      </td>
      <td data-label="Score" class="right">
        {formatPercent(arena?.score, 1)}
      </td>
      <td data-label="Elo" class="right">
        {rating === null ? '–' : formatSigned(rating.elo, 0)}
      </td>
      <td data-label="Time" class="right">
        {formatDuration(seconds)}
      </td>
    </tr>
  );
}
