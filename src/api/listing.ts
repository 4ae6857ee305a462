/** The rows of one response, converted to objects on demand. */
import { fieldOf, isRecord, plainJson, type JsonRecord } from '../base/json.ts';
import { rowObjects, type UniformRows } from './uniform.ts';

/** A row of a response, of an export or of a table, by field or column. */
export type Row = JsonRecord;

export interface Listing {
  readonly length: number;
  /** The values of one field; undefined in rows without it. */
  column(name: string): readonly unknown[];
  /** A listing of the rows at these positions. */
  only(rows: readonly number[]): Listing;
  /** A row that is not an object becomes one field, `value`. */
  objects(): readonly Row[];
  /** Set when all rows have the same shape. */
  readonly uniform?: UniformRows;
}

/** A listing of rows that were parsed as objects. */
export function listing(rows: readonly unknown[]): Listing {
  return {
    length: rows.length,
    column: (name) => rows.map((row) => fieldOf(row, name)),
    only: (some) => listing(some.map((row) => rows[row])),
    objects: () => rows.map(rowIn),
  };
}

/** Rows with the same shape. */
export function uniformListing(uniform: UniformRows): Listing {
  const objects = (): readonly Row[] => rowObjects(uniform).map(rowIn);
  return {
    length: uniform.length,
    column: (name) => uniform.placing(name) ?? listing(objects()).column(name),
    only: (rows) => listing(objects()).only(rows),
    objects,
    uniform,
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
