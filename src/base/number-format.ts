/** How a number is written for people: decimals, percent and a unit; the digits before them are grouped. */
import { decimal, decimalText, isDecimalText, roundTo, withPlaces } from './decimal.ts';
import { grouped } from './text.ts';

/** A pattern such as `0.00`, `0.0%` or `0 USDT`, as parts. */
export interface NumberFormat {
  readonly places: number;
  readonly isPercent: boolean;
  /** The unit after the number, or ''. */
  readonly unit: string;
}

const pattern = /^0(?:\.(0{1,18}))?(%)?(?: ([^\s\d%\p{Cc}\p{Cf}][^\p{Cc}\p{Cf}]{0,15}))?$/u;

/** @returns undefined for another text */
export function numberFormatIn(text: string): NumberFormat | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, zeros = '', percent, unit = ''] = found;
  return { places: zeros.length, isPercent: percent !== undefined, unit };
}

/** A number in its format, rounded half to even: `1,234.50 USDT`; another text is unchanged. */
export function formattedNumber(text: string, { places, isPercent, unit }: NumberFormat): string {
  if (!isDecimalText(text)) return text;
  const value = isPercent ? decimal(text).times(decimal('100')) : decimal(text);
  const rounded = withPlaces(roundTo(value, places, 'half-even'), places);
  const number = `${grouped(decimalText(rounded))}${isPercent ? '%' : ''}`;
  return unit === '' ? number : `${number} ${unit}`;
}
