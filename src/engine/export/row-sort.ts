/** Sorts rows by columns: numbers by value and before texts, texts by code unit. */
import { decimal, isDecimalText, type Decimal } from '../../base/decimal.ts';
import type { Row } from '../../exchange/api/listing.ts';
import { fieldText } from './row.ts';

/** The values a row is sorted by, parsed once. */
export type SortKey = readonly (Decimal | string)[];

export function sortKeyOf(row: Row, columns: readonly string[]): SortKey {
  return columns.map((column) => {
    const text = fieldText(row, column);
    return isDecimalText(text) ? decimal(text) : text;
  });
}

/** Negative when `a` comes first, 0 when the columns are equal. */
export function compareKeys(a: SortKey, b: SortKey): number {
  for (const [index, left] of a.entries()) {
    const order = compareFields(left, b[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

// Numbers are before texts: "9 < 10", "10 < 1a" and "1a < 9" together would not be transitive.
function compareFields(a: Decimal | string, b: Decimal | string): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareTexts(a, b) : 1;
  return typeof b === 'string' ? -1 : a.cmp(b);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
