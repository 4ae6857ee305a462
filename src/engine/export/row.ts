/** The fields of a row as text, and a selection of its columns. */
import type { Json } from '../../base/json.ts';
import type { Row } from '../../exchange/api/listing.ts';

/** A field of a row as text: '' when absent or null, JSON text for a list or an object. */
export function fieldText(row: Row, column: string): string {
  return Object.hasOwn(row, column) ? textOf(row[column]) : '';
}

export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The row with only these columns, in order; missing ones stay missing. */
export function picked(row: Row, columns: readonly string[] | undefined): Row {
  if (columns === undefined) return row;
  const entries: [string, Json][] = [];
  for (const column of columns) {
    const value = Object.hasOwn(row, column) ? row[column] : undefined;
    if (value !== undefined) entries.push([column, value]);
  }
  return Object.fromEntries(entries);
}
