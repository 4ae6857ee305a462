/** The rows of one response, converted to objects on demand. */
import { fieldOf, isRecord, plainJson, type Json } from '../base/json.ts';
import { rowObjects, type UniformRows } from './uniform.ts';

export type Fields = { readonly [field: string]: Json };

export interface Listing {
  readonly length: number;
  /** The values of one field; undefined in rows without it. */
  column(name: string): readonly unknown[];
  /** A listing of the rows at these positions. */
  only(rows: readonly number[]): Listing;
  /** A row that is not an object becomes one field, `value`. */
  objects(): readonly Fields[];
  /** Set when all rows have the same shape. */
  readonly uniform?: UniformRows;
}

/** A listing of rows that were parsed as objects. */
export function listing(rows: readonly unknown[]): Listing {
  return {
    length: rows.length,
    column: (name) => rows.map((row) => fieldOf(row, name)),
    only: (some) => listing(some.map((row) => rows[row])),
    objects: () => rows.map(fieldsIn),
  };
}

/** Rows with the same shape. */
export function uniformListing(uniform: UniformRows): Listing {
  const objects = (): readonly Fields[] => rowObjects(uniform).map(fieldsIn);
  return {
    length: uniform.length,
    column: (name) => uniform.placing(name) ?? listing(objects()).column(name),
    only: (rows) => listing(objects()).only(rows),
    objects,
    uniform,
  };
}

function fieldsIn(row: unknown): Fields {
  if (isFields(row)) return row;
  return { value: plainJson(row) };
}

/** Responses are parsed from JSON, so every object has JSON values. */
function isFields(value: unknown): value is Fields {
  return isRecord(value);
}
