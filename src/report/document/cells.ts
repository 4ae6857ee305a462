/** Values as people read them in a table: numbers grouped, names unchanged. */
import { isDecimalText } from '../../base/decimal.ts';
import type { Json } from '../../base/json.ts';
import { grouped, plainText } from '../../base/text.ts';
import { fieldText, type Row } from '../../export/row.ts';

const digitsMax = 12; // before the point; what is longer is an id, not an amount

/** Whether a column holds amounts: numbers and nothing else, at least one. */
export function isNumbers(rows: readonly Row[], column: string): boolean {
  const texts = rows.map((row) => fieldText(row, column)).filter((text) => text !== '');
  return texts.length > 0 && texts.every(isAmount);
}

/** The most decimal places in a column, so that points are under one another. */
export function placesIn(rows: readonly Row[], column: string): number {
  const places = rows.map((row) => fieldText(row, column).split('.')[1]?.length ?? 0);
  return Math.max(0, ...places);
}

/** A value as read; amounts are grouped and have so many places: `41,250.00`. */
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
