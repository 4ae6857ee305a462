/** Formats values for a table: grouped numbers, unchanged names. */
import { isDecimalText } from '../../base/decimal.ts';
import type { Json } from '../../base/json.ts';
import { grouped, plainText } from '../../base/text.ts';
import type { Row } from '../../exchange/api/listing.ts';
import { fieldText } from '../../engine/export/row.ts';

const digitsMax = 12; // digits before the point; a longer number is an id, not an amount

/** Whether a column contains amounts: only numbers, and at least one. */
export function isNumbers(rows: readonly Row[], column: string): boolean {
  const texts = rows.map((row) => fieldText(row, column)).filter((text) => text !== '');
  return texts.length > 0 && texts.every(isAmount);
}

/** The maximum decimal places in a column, to align the decimal points. */
export function placesIn(rows: readonly Row[], column: string): number {
  const places = rows.map((row) => fieldText(row, column).split('.')[1]?.length ?? 0);
  return Math.max(0, ...places);
}

/** A value for display; an amount is grouped and has `places` decimal places: `41,250.00`. */
export function cellOf(value: Json, { isNumber = true, places = 0 } = {}): string {
  const text = fieldText({ value }, 'value');
  if (!isNumber || !isAmount(text)) return plainText(text, 300);
  if (places === 0) return /^-?\d{4}$/.test(text) ? text : grouped(text); // a year, or an id
  const [whole = '', fraction = ''] = text.split('.');
  return grouped(`${whole}.${fraction.padEnd(places, '0')}`);
}

function isAmount(text: string): boolean {
  const [whole = ''] = text.replace('-', '').split('.');
  return isDecimalText(text) && whole.length <= digitsMax;
}
