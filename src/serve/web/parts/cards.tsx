/** A table whose rows are cards on a narrow screen: a column says once its name and how it shows a row. */
import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  readonly name: string;
  /** The head of the column; default: the name, which each cell of a card has, too. */
  readonly head?: string;
  /** Whether the head is read aloud only, because the cells explain themselves. */
  readonly isSign?: boolean;
  readonly isNumber?: boolean;
  /** The class of the cells; default: none. */
  readonly kind?: string | ((row: Row) => string);
  readonly cell: (row: Row) => ComponentChildren;
}

/** The column of the desk; none if all rows are of one. */
export function deskColumn<Row extends { readonly desk: string }>(
  hasDesks: boolean,
): readonly Column<Row>[] {
  return hasDesks ? [{ name: 'Desk', cell: ({ desk }) => desk }] : [];
}

/** A table that can be focused, because a wide one scrolls alone. */
export function Cards<Row>({
  name,
  kind = '',
  columns,
  rows,
  rowKey,
  rowKind,
}: {
  readonly name: string;
  /** The class of the table besides that of all tables. */
  readonly kind?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey?: (row: Row) => string;
  readonly rowKind?: (row: Row) => string;
}): JSX.Element {
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={name}>
      <table class={classes('cards', kind)}>
        <thead>
          <tr>
            {columns.map(({ name: title, head = title, isSign, isNumber }) => (
              <th class={classes(isNumber && 'number')}>
                {isSign ? <span class="unseen">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey?.(row)} class={classes(rowKind?.(row))}>
              {columns.map(({ name: title, isNumber, kind: own, cell }) => (
                <td
                  data-label={title}
                  class={classes(isNumber && 'number', typeof own === 'function' ? own(row) : own)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The names of classes that apply; undefined if none does. */
function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}
