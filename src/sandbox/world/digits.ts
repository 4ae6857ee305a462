/** Integers of small units as decimal texts and back, without floats. */
import { decimal, decimalText } from '../../base/decimal.ts';

/** Formats an integer at a scale: `1234` at scale 2 is `12.34`. */
export function scaled(units: number | bigint, scale: number): string {
  const negative = units < 0;
  const whole = Number.isSafeInteger(units) ? units : BigInt(units); // larger numbers would print as `1e+21`
  const digits = String(negative ? -whole : whole).padStart(scale + 1, '0');
  const cut = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return negative ? `-${text}` : text;
}

/** A decimal text in whole units of 10^-scale, truncated. */
export function unitsOf(text: string, scale: number): number {
  const [whole = '0', fraction = ''] = text.split('.');
  return Number(`${whole}${fraction.slice(0, scale).padEnd(scale, '0')}`);
}

/**
 * A decimal text in whole units of 10^-scale; `undefined` if it has nonzero digits beyond the
 * scale.
 */
export function exactUnitsOf(text: string, scale: number): number | undefined {
  const below = text.split('.')[1]?.slice(scale) ?? '';
  return /[1-9]/.test(below) ? undefined : unitsOf(text, scale);
}

/** The sum of two decimal texts. */
export function add(a: string, b: string): string {
  return decimalText(decimal(a).plus(decimal(b)));
}
