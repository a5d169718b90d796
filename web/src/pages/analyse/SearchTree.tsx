// Inside the search: the tree as far as somebody opened it, with N, P, Q and U of every move. Pointing at a row puts its
// position on the board; choosing its move adds the line to the study.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engine, GameName, GameMoves } from '../../engine/types';
import { rowAfterKey, rowKey, rowsOf, type MoveRow, type RestRow, type TreeRow } from '../../game/searchTree';
import { formatFixed, formatPercent, formatShort } from '../../ui/format';
import { Icon } from '../../ui/Icon';
import { Button, ProblemNotice } from '../../ui/parts';
import { Term } from '../../ui/Term';
import { scoreText, valueHelp } from '../../ui/words';
import { useSearchTree, type SearchTreeState } from './useSearchTree';

interface Props {
  engine: Engine;
  game: GameName;
  record: GameMoves;
  network: string;
  isRunning: boolean;
  onPreview: (moves: readonly string[]) => void;
  onPlay: (moves: readonly string[]) => void;
}

export function SearchTree(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button kind="quiet" icon="tree" expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Inside the search
      </Button>
      {isOpen && <Tree {...props} />}
    </div>
  );
}

function Tree({ engine, game, record, network, isRunning, onPreview, onPlay }: Props) {
  const state = useSearchTree(engine, record, network, isRunning);
  const rows = rowsOf(state.tree);
  if (state.problem !== null) return <ProblemNotice problem={state.problem} />;
  if (rows.length === 0) {
    return <p class="small muted">{isRunning ? 'Waiting for the tree…' : 'This tree is gone. Search again.'}</p>;
  }
  return (
    <>
      <p class="small muted">
        Each simulation takes the move with the highest Q + U, Q seen by the side to move. The table shows Q as the
        whole page does: {valueHelp(game)}.
      </p>
      <Rows game={game} rows={rows} state={state} onPreview={onPreview} onPlay={onPlay} />
    </>
  );
}

interface RowsProps {
  game: GameName;
  rows: readonly TreeRow[];
  state: SearchTreeState;
  onPreview: Props['onPreview'];
  onPlay: Props['onPlay'];
}

/** One stop for Tab; arrows walk and open, Enter adds the line to the study. */
function Rows({ game, rows, state, onPreview, onPlay }: RowsProps) {
  const [current, setCurrent] = useState(rowKey(rows[0]!));
  const body = useRef<HTMLTableSectionElement>(null);
  const isFocused = useRef(false);
  const found = rows.findIndex((row) => rowKey(row) === current);
  const index = Math.max(0, found);
  const focusRow = (at: number): void => {
    setCurrent(rowKey(rows[at]!));
    (body.current?.children[at] as HTMLElement | undefined)?.focus();
  };
  // A row that went away, as one of a node that was closed, must not take the focus with it.
  useEffect(() => {
    if (isFocused.current && found < 0) focusRow(0);
  }, [found]);
  const choose = (row: TreeRow): void => (row.kind === 'move' ? onPlay(row.path) : state.showAll(row.parent));
  const onKey = (event: KeyboardEvent): void => {
    const row = rows[index]!;
    const next = rowAfterKey(rows, index, event.key);
    if (next !== null) focusRow(next);
    else if ((event.key === 'ArrowRight' || event.key === 'ArrowLeft') && row.kind === 'move') {
      if (row.canOpen) state.toggle(row.path);
    } else if (event.key === 'Enter' || event.key === ' ') choose(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shared = { game, state, onPreview, onPlay };
  return (
    <table
      class="table search-tree"
      role="treegrid"
      aria-label="Search tree"
      onMouseLeave={() => onPreview([])}
      onFocusIn={() => {
        isFocused.current = true;
      }}
      onFocusOut={() => {
        isFocused.current = false;
        onPreview([]);
      }}
    >
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col" class="right">
            <Term word="N">N</Term>
          </th>
          <th scope="col" class="right">
            <Term word="P">P</Term>
          </th>
          <th scope="col" class="right">
            <Term word="Q">Q</Term>
          </th>
          <th scope="col" class="right">
            <Term word="U">U</Term>
          </th>
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={onKey}>
        {rows.map((row, at) => {
          const place = {
            tabIndex: at === index ? 0 : -1,
            onFocus: () => {
              setCurrent(rowKey(row));
              onPreview(row.kind === 'move' ? row.path : row.parent);
            },
          };
          return row.kind === 'move' ? (
            <MoveLine key={rowKey(row)} row={row} place={place} {...shared} />
          ) : (
            <RestLine key={rowKey(row)} row={row} place={place} onShow={() => state.showAll(row.parent)} />
          );
        })}
      </tbody>
    </table>
  );
}

interface Place {
  tabIndex: number;
  onFocus: () => void;
}

type MoveLineProps = Omit<RowsProps, 'rows'> & { row: MoveRow; place: Place };

function MoveLine({ game, row, place, state, onPreview, onPlay }: MoveLineProps) {
  const { move, path, level, side, share, canOpen, isOpen } = row;
  const expanded = canOpen ? { 'aria-expanded': isOpen } : {};
  return (
    <tr aria-level={level} {...expanded} {...place} onMouseEnter={() => onPreview(path)}>
      <td>
        <span class="tree-move" style={{ paddingLeft: `${level - 1}em` }}>
          <button
            type="button"
            class="tree-toggle"
            tabIndex={-1}
            disabled={!canOpen}
            aria-label={`${isOpen ? 'Close' : 'Open'} ${move.notation}`}
            onClick={() => state.toggle(path)}
          >
            {canOpen && <Icon name={isOpen ? 'down' : 'next'} />}
          </button>
          <button type="button" class="candidate" tabIndex={-1} onClick={() => onPlay(path)}>
            {move.notation}
          </button>
        </span>
      </td>
      <td class="right" title={`${formatPercent(share)} of the visits here`}>
        <span class="tree-share" style={{ '--share': share }}>
          {formatShort(move.visits)}
        </span>
      </td>
      <td class="right">{formatPercent(move.prior, 1)}</td>
      <td class="right">{scoreText(game, move, side)}</td>
      <td class="right">{formatFixed(move.exploration)}</td>
    </tr>
  );
}

function RestLine({ row, place, onShow }: { row: RestRow; place: Place; onShow: () => void }) {
  const { level, numHidden, numUntried } = row;
  const untried = numUntried > 0 ? `${numUntried} not tried` : '';
  return (
    <tr aria-level={level} class="muted small" {...place}>
      <td colSpan={5}>
        <span class="tree-move" style={{ paddingLeft: `${level + 0.5}em` }}>
          {numHidden > 0 && (
            <button type="button" class="link" tabIndex={-1} onClick={onShow}>
              {`${numHidden} more`}
            </button>
          )}
          {numHidden > 0 && untried !== '' ? `, ${untried}` : untried}
        </span>
      </td>
    </tr>
  );
}
