/** The kinds of values in a column, for formats with numbers and times. */
import { formats } from '../api/vocabulary.ts';
import type { Row } from '../api/listing.ts';
import { fieldText } from './row.ts';

/** `number`: exact decimals; `time`: Unix milliseconds; `any`: decided by its values. */
export type Kind = 'number' | 'time' | 'text' | 'any';

export type Kinds = ReadonlyMap<string, Kind>;

/** A column with the kind of all its values. */
export interface Column {
  readonly name: string;
  readonly kind: 'number' | 'time' | 'text';
  /** Maximum digits before and after the decimal point. */
  readonly whole: number;
  readonly scale: number;
}

/** Reads all rows once; a column has its declared kind only if every value does. */
export async function survey(
  rows: AsyncIterable<Row>,
  columns: readonly string[],
  kinds: Kinds,
): Promise<readonly Column[]> {
  const seen = columns.map((name) => ({
    name,
    kind: kinds.get(name) ?? 'any',
    filled: 0,
    whole: 1,
    scale: 0,
    isNumber: true,
    isTime: true,
  }));
  for await (const row of rows) {
    for (const column of seen) {
      const text = fieldText(row, column.name);
      if (text === '') continue;
      column.filled += 1;
      column.isTime &&= formats.millis.test(text);
      column.isNumber &&= formats.decimal.test(text);
      if (!column.isNumber) continue;
      const point = text.indexOf('.');
      const end = point === -1 ? text.length : point;
      column.whole = Math.max(column.whole, text.startsWith('-') ? end - 1 : end);
      column.scale = Math.max(column.scale, point === -1 ? 0 : text.length - point - 1);
    }
  }
  return seen.map(({ name, kind, filled, whole, scale, isNumber, isTime }) => {
    const mayBeNumber = isNumber && (kind === 'number' || (kind === 'any' && filled > 0));
    if (mayBeNumber && whole + scale <= digitsMax) return { name, kind: 'number', whole, scale };
    const isText = kind !== 'time' || !isTime;
    return { name, kind: isText ? 'text' : 'time', whole: 0, scale: 0 };
  });
}

const digitsMax = 38; // of a DECIMAL, in Parquet readers and in databases
