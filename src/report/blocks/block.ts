/** Blocks of a report: a page, a comment and a custom page draw the same blocks in different formats. */
import { moreText, shellWord } from '../../base/text.ts';
import type { Millis } from '../../base/clock.ts';
import type { OnAccount } from '../accounts.ts';

/** Text with marks; the parts of a list follow each other. */
export type Inline =
  | string
  | readonly Inline[]
  | { readonly code: string }
  | { readonly strong: Inline }
  | { readonly dim: Inline }
  /** A digest or another long name, which a page shortens. */
  | { readonly digest: string }
  /** A time of the day, in a column that names its zone. */
  | { readonly time: Millis }
  /** A state with its sign: `done`, `doubt`, `partially_filled`. */
  | { readonly state: string }
  /** Parts that each have a separate line where there is room. */
  | { readonly lines: readonly Inline[] };

export type Fact = readonly [name: string, value: Inline];

export interface Column<Row> {
  readonly name: string;
  /** Whether the cells are numbers, which are right-aligned with aligned digits. */
  readonly isNumber?: true;
  /** Whether the cells are texts of several words, which wrap instead of widening the table. */
  readonly wraps?: true;
  readonly cell: (row: Row) => Inline;
  /** The rank of rows by this column, if readers can sort the table. */
  readonly ranks?: ReadonlyMap<Row, number>;
}

export interface Table<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Number of all rows, if `rows` has only the first. */
  readonly total?: number;
  /** Where to find the omitted rows: `: deskhand runs show r-1`. */
  readonly rest: Inline;
}

/** The columns, with one for the account after the first column if any row names an account. */
export function withAccount<Row extends OnAccount>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  if (rows.every(({ account }) => account === undefined)) return columns;
  return columns.toSpliced(1, 0, { name: 'Account', cell: ({ account = '' }) => account });
}

export function moreRows(left: number, rest: Inline): Inline {
  return [moreText(left, 'row'), rest];
}

/** The command that shows everything about a run. */
export function showCommand(run: string): string {
  return `deskhand runs show ${shellWord(run)}`;
}
