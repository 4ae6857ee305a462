/** Exact decimals; the only importer of big.js. Money and sizes are never floating-point numbers. */
import { Big } from 'big.js';

/** An exact decimal number. Create one with `decimal`, print it with `decimalText`. */
export type Decimal = Big;

export type Rounding = 'down' | 'up' | 'half-up' | 'half-even' | 'floor' | 'ceil';

const exact = Big();
exact.strict = true; // refuses JavaScript numbers, such as 0.1 + 0.2
const digitsMax = 64; // of a decimal text; longer ones are attacks or mistakes

/** Plain notation only: no exponent, no spaces, no plus sign, no leading zeros. */
const plain = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Whether a text is a decimal number in plain notation of at most 64 characters. */
export function isDecimalText(text: string): boolean {
  return text.length <= digitsMax && plain.test(text);
}

/**
 * Parses a decimal and keeps every digit.
 * @throws RangeError when the text is not a plain decimal.
 */
export function decimal(text: string): Decimal {
  if (!isDecimalText(text)) throw new RangeError(`${JSON.stringify(text)} is not a decimal number`);
  return new exact(text);
}

/** The displayed decimal places of a number, if more than its value needs. */
const shownPlaces = new WeakMap<Decimal, number>();

/**
 * Parses a decimal that is displayed as written: `0.050` stays 0.050. Results of calculations have
 * no trailing zeros.
 * @throws RangeError when the text is not a plain decimal.
 */
export function writtenDecimal(text: string): Decimal {
  return withPlaces(decimal(text), (text.split('.')[1] ?? '').length);
}

/** Returns the same number, displayed with at least `places` decimal places. */
export function withPlaces(value: Decimal, places: number): Decimal {
  if (places <= scalesOf(value)) return value;
  const shown = new exact(value);
  shownPlaces.set(shown, places);
  return shown;
}

/** The number of displayed decimal places. */
export function placesOf(value: Decimal): number {
  return shownPlaces.get(value) ?? scalesOf(value);
}

/** Converts a whole number to a decimal. */
export function wholeDecimal(value: number): Decimal {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe whole number`);
  return new exact(String(value));
}

/** Whether a value is one of our decimals. */
export function isDecimal(value: unknown): value is Decimal {
  return value instanceof Big || value instanceof exact;
}

/** Plain notation without an exponent, with all decimals and displayed zeros. */
export function decimalText(value: Decimal): string {
  return value.toFixed(shownPlaces.get(value));
}

/** Rounds to `scale` decimal places. */
export function roundTo(value: Decimal, scale: number, rounding: Rounding): Decimal {
  switch (rounding) {
    case 'down':
      return value.round(scale, 0);
    case 'half-up':
      return value.round(scale, 1);
    case 'half-even':
      return value.round(scale, 2);
    case 'up':
      return value.round(scale, 3);
    case 'floor':
      return value.round(scale, value.lt(zero) ? 3 : 0);
    case 'ceil':
      return value.round(scale, value.lt(zero) ? 0 : 3);
  }
}

/**
 * `numerator / denominator` with `scale` places and the given rounding; exact except for the
 * rounding.
 * @throws RangeError when the denominator is zero.
 */
export function divide(
  numerator: Decimal,
  denominator: Decimal,
  { scale, rounding }: { readonly scale: number; readonly rounding: Rounding },
): Decimal {
  if (denominator.eq(zero)) throw new RangeError('division by zero');
  // Integer division: the remainder decides the rounding, so guard digits are not needed.
  const shift = Math.max(scalesOf(numerator), scalesOf(denominator));
  const top = BigInt(numerator.times(power(shift + scale)).toFixed(0));
  const bottom = BigInt(denominator.times(power(shift)).toFixed(0));
  return new exact(roundedQuotient(top, bottom, rounding).toString()).times(power(-scale));
}

/** The largest multiple of `step` not above `value`, or the smallest not below it. */
export function toMultiple(value: Decimal, step: Decimal, towards: 'floor' | 'ceil'): Decimal {
  return divide(value, step, { scale: 0, rounding: towards }).times(step);
}

export const zero: Decimal = new exact('0');

/** A ratio as a plain decimal: `5%` as `0.05`, `0.05` unchanged; undefined for any other text. */
export function shareText(text: string): string | undefined {
  const percent = /^(.+?)\s*%$/.exec(text)?.[1];
  const number = percent ?? text;
  if (!isDecimalText(number) || number.startsWith('-')) return undefined;
  return percent === undefined ? text : decimalText(decimal(percent).times(power(-2)));
}

function power(exponent: number): Decimal {
  return new exact(`1e${exponent}`);
}

function scalesOf(value: Decimal): number {
  return (value.toFixed().split('.')[1] ?? '').length;
}

function roundedQuotient(top: bigint, bottom: bigint, rounding: Rounding): bigint {
  const quotient = top / bottom;
  const rest = top % bottom;
  if (rest === 0n) return quotient;
  const isNegative = top < 0n !== bottom < 0n;
  const away = quotient + (isNegative ? -1n : 1n);
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const size = bottom < 0n ? -bottom : bottom;
  switch (rounding) {
    case 'down':
      return quotient;
    case 'up':
      return away;
    case 'floor':
      return isNegative ? away : quotient;
    case 'ceil':
      return isNegative ? quotient : away;
    case 'half-up':
      return twice >= size ? away : quotient;
    case 'half-even':
      return twice > size || (twice === size && quotient % 2n !== 0n) ? away : quotient;
  }
}
