/** The order of the values of a column, for readers who sort a table. */
import { momentIn } from '../../base/clock.ts';
import { decimal, isDecimalText } from '../../base/decimal.ts';
import type { Row } from '../../exchange/api/listing.ts';
import { fieldText } from '../../engine/export/row.ts';

/**
 * The rank of each row by a column, from 0; equal values have one rank, a row without a value has none. A column of
 * numbers is ordered by value, one of times by moment, and any other as text, without regard to case.
 */
export function ranksOf(rows: readonly Row[], column: string): ReadonlyMap<Row, number> {
  const values = rows
    .map((row) => ({ row, text: fieldText(row, column) }))
    .filter(({ text }) => text !== '');
  const compare = orderOf(values.map(({ text }) => text));
  const sorted = values.toSorted((a, b) => compare(a.text, b.text));
  const ranks = new Map<Row, number>();
  let rank = -1;
  for (const [at, { row, text }] of sorted.entries()) {
    const before = sorted[at - 1];
    if (before === undefined || compare(before.text, text) !== 0) rank += 1;
    ranks.set(row, rank);
  }
  return ranks;
}

type Order = (a: string, b: string) => number;

function orderOf(texts: readonly string[]): Order {
  if (texts.every(isDecimalText)) return (a, b) => decimal(a).cmp(decimal(b));
  if (texts.every((text) => momentIn(text) !== undefined)) return byMoment;
  return (a, b) => byText(a.toLowerCase(), b.toLowerCase()) || byText(a, b);
}

function byMoment(a: string, b: string): number {
  return (momentIn(a) ?? 0) - (momentIn(b) ?? 0);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
