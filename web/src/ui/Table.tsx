// The one table of the pages: heads with a scope, numbers to the right, and on a phone a card for every row.

import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Names the column; on a card it stands before the cell. */
  name: string;
  /** In place of the name in the head, such as a word with an explanation. */
  head?: ComponentChildren;
  cell: (row: Row) => ComponentChildren;
  isNumber?: boolean;
  /** The cell names its row. */
  isRowHead?: boolean;
  /** On a card it takes the whole width. */
  isWhole?: boolean;
}

interface Props<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  class?: string;
  /** Few narrow columns need no cards. */
  isNarrow?: boolean;
  isSelected?: (row: Row) => boolean;
}

export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  class: name = '',
  isNarrow = false,
  isSelected,
}: Props<Row>) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={label}>
      <table class={`table ${isNarrow ? '' : 'as-cards'} ${name}`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={column.isNumber ? 'right' : ''}>
                {column.head ?? column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={isSelected?.(row) ? 'selected' : ''}
              aria-selected={isSelected === undefined ? undefined : isSelected(row)}
            >
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { isNumber = false, isRowHead = false, isWhole = false } = column;
  if (isRowHead) return <th scope="row">{column.cell(row)}</th>;
  return (
    <td data-label={column.name} class={`${isNumber ? 'right' : ''} ${isWhole ? 'whole' : ''}`}>
      {/* One thing beside the label of a card, whatever it is made of. */}
      <span class="cell">{column.cell(row)}</span>
    </td>
  );
}
