// Every iteration in numbers, newest first, a page at a time: a thousand of them cost no more than one page.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { IterationRow } from '../../live/messages';
import { formatCount, formatDuration, formatFixed, formatPercent, formatSigned } from '../../ui/format';
import { Button, Panel } from '../../ui/parts';
import { Table, type Column } from '../../ui/Table';
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
      <Table
        label="Table of iterations"
        class="iterations"
        columns={columnsFor(onPick)}
        rows={shown}
        keyOf={({ iteration }) => iteration}
        isSelected={({ iteration }) => iteration === selected}
      />
    </Panel>
  );
}

function columnsFor(onPick: (iteration: number) => void): Column<IterationRow>[] {
  const number = (name: string, cell: (row: IterationRow) => string, head?: ComponentChildren) => ({
    name,
    cell,
    isNumber: true,
    ...(head === undefined ? {} : { head }),
  });
  return [
    { name: 'Iteration', head: '#', cell: (row) => <PickButton row={row} onPick={onPick} /> },
    number('Positions', ({ selfplay }) => formatCount(selfplay?.numPositions)),
    number('Draws', ({ selfplay }) => formatPercent(selfplay?.drawRate)),
    number('Plies', ({ selfplay }) => formatFixed(selfplay?.meanPlies, 0), <Term word="ply">Plies</Term>),
    number('Policy loss', ({ training }) => formatFixed(training?.holdoutPolicyLoss ?? training?.policyLoss), [
      <Term word="policy">Policy</Term>,
      ' loss',
    ]),
    number('Value loss', ({ training }) => formatFixed(training?.holdoutValueLoss ?? training?.valueLoss), [
      <Term word="value">Value</Term>,
      ' loss',
    ]),
    { name: 'Arena', head: <Term word="arena">Arena</Term>, cell: arenaCell, isWhole: true },
    number('Score', ({ arena }) => formatPercent(arena?.score, 1)),
    number('Elo', ({ rating }) => (rating === null ? '–' : formatSigned(rating.elo, 0))),
    number('Time', ({ stageSeconds }) =>
      formatDuration(Object.values(stageSeconds).reduce((sum, each) => sum + each, 0)),
    ),
  ];
}

function PickButton({ row, onPick }: { row: IterationRow; onPick: (iteration: number) => void }) {
  return (
    <button
      type="button"
      class="candidate"
      onClick={() => onPick(row.iteration)}
      aria-label={`Replay iteration ${row.iteration}`}
    >
      {row.iteration}
    </button>
  );
}

function arenaCell({ arena, wasPromoted }: IterationRow): ComponentChildren {
  return (
    <span class="number">
      {arena === null ? '–' : `+${arena.wins} =${arena.draws} −${arena.losses}`}{' '}
      {wasPromoted && <span class="badge gold">★ promoted</span>}
    </span>
  );
}
