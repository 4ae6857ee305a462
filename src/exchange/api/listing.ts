/** The rows of one response. */
import { fieldOf, isRecord, plainJson, type JsonRecord } from '../../base/json.ts';

/** A row of a response, of an export or of a table, by field or column. */
export type Row = JsonRecord;

export interface Listing {
  readonly length: number;
  /** The values of the named field; undefined in rows without it. */
  column(name: string): readonly unknown[];
  /** A listing of the rows at these positions. */
  only(rows: readonly number[]): Listing;
  /** A row that is not an object becomes one field, `value`. */
  objects(): readonly Row[];
}

export function listing(rows: readonly unknown[]): Listing {
  return {
    length: rows.length,
    column: (name) => rows.map((row) => fieldOf(row, name)),
    only: (some) => listing(some.map((row) => rows[row])),
    objects: () => rows.map(rowIn),
  };
}

function rowIn(row: unknown): Row {
  if (isRow(row)) return row;
  return { value: plainJson(row) };
}

/** Whether a parsed value is a row: it comes from JSON, so an object has JSON values. */
export function isRow(value: unknown): value is Row {
  return isRecord(value);
}
