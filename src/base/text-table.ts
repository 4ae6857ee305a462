/** A table as lines of text in columns, for messages of limited length. */
import { count } from './text.ts';

/** A table whose cells are formatted for people. */
export interface TextTable {
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly string[])[];
  /** The number of rows that the table does not show. */
  readonly left: number;
  /** Remarks about the rows, such as which are missing. */
  readonly notes: readonly string[];
}

const cellMax = 40; // characters; longer texts would wrap on a phone

/** A table as text: its lines, and what follows below them. */
export interface DrawnTable {
  readonly lines: string;
  readonly tail: readonly string[];
}

/**
 * Draws a table for a font of one width: a line of names, and one for each row.
 * @param most characters of lines and tail; rows that do not fit are counted
 */
export function drawnTable(table: TextTable, most = Infinity): DrawnTable {
  const lines = linesOf(table);
  const longest = tailOf(table, table.rows.length).join('\n').length + 1;
  const fitting = beginning(lines, most - longest, (line) => line.length + 1);
  const hidden = lines.length - Math.max(fitting.length, 1);
  return { lines: fitting.join('\n'), tail: tailOf(table, hidden) };
}

/** The lines after a table: the number of rows that are not shown, and its notes. */
export function tailOf({ left, notes }: TextTable, hidden: number): readonly string[] {
  const missing = left + hidden;
  return [...(missing > 0 ? [`… ${count(missing, 'more row')}`] : []), ...notes];
}

/** The longest beginning of a list whose members have at most a size together. */
export function beginning<Member>(
  list: readonly Member[],
  most: number,
  sizeOf: (member: Member) => number,
): readonly Member[] {
  let size = 0;
  const end = list.findIndex((member) => {
    size += sizeOf(member);
    return size > most;
  });
  return end === -1 ? list : list.slice(0, end);
}

/** A text of at most `most` UTF-16 units, without half a character at its end. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function linesOf({ columns, rows }: TextTable): readonly string[] {
  const cells = [columns.map(({ name }) => name), ...rows].map((row) =>
    row.map((cell) => cut(cell, cellMax)),
  );
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const padded = (cell: string, at: number): string =>
    columns[at]?.isNumber === true ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
  return cells.map((row) => row.map(padded).join('  ').trimEnd());
}
