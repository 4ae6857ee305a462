/** Money as integers of one fixed scale, so that no unit is ever lost or created. */

/** An amount of a coin in units of 10^-12. */
export type Money = bigint;

/** Decimal places of money. */
export const moneyScale = 12;

/** One whole coin; also the denominator of ratios such as fees. */
export const one: Money = 10n ** 12n;

export type MoneyRounding = 'floor' | 'ceil' | 'half-even';

const plain = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;
const digitsMax = 64;

/** Parses a plain decimal; `undefined` when it is invalid or has digits below 10^-12. */
export function parseMoney(text: string): Money | undefined {
  const match = text.length <= digitsMax ? plain.exec(text) : null;
  if (match === null) return undefined;
  const [, sign = '', whole = '0', fraction = ''] = match;
  if (fraction.length > moneyScale) return undefined;
  const units = BigInt(whole + fraction.padEnd(moneyScale, '0'));
  return sign === '-' ? -units : units;
}

/** Formats an amount without trailing zeros. */
export function formatMoney(amount: Money): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(moneyScale + 1, '0');
  const whole = digits.slice(0, -moneyScale);
  const fraction = digits.slice(-moneyScale).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `a × b ÷ c`, exact except for the given rounding; `c` is positive. */
export function mulDiv(a: bigint, b: bigint, c: bigint, rounding: MoneyRounding): bigint {
  return quotient(a * b, c, rounding);
}

/** `top ÷ bottom`, exact except for the given rounding; `bottom` is positive. */
export function quotient(top: bigint, bottom: bigint, rounding: MoneyRounding): bigint {
  if (bottom === 1n) return top;
  switch (rounding) {
    case 'floor': // division truncates, and costs as much as the remainder
      return top >= 0n ? top / bottom : (top + 1n) / bottom - 1n;
    case 'ceil':
      return top <= 0n ? top / bottom : (top - 1n) / bottom + 1n;
    case 'half-even':
      return nearest(top, bottom);
  }
}

/** The quotient of integers, rounded half to even. */
function nearest(top: bigint, bottom: bigint): bigint {
  const floor = quotient(top, bottom, 'floor');
  const twice = (top - floor * bottom) * 2n;
  const isUp = twice > bottom || (twice === bottom && floor % 2n !== 0n);
  return isUp ? floor + 1n : floor;
}

/**
 * A number as a fraction in lowest terms: multiplying and dividing with its small integers is
 * several times faster than with twelve decimal places.
 */
export interface Ratio {
  readonly top: bigint;
  readonly bottom: bigint;
  /** The ratio as a float. */
  readonly rough: number;
}

/**
 * The ratio of two integers in lowest terms.
 * @param bottom positive
 */
export function ratio(top: bigint, bottom: bigint): Ratio {
  let [divisor, rest] = [top < 0n ? -top : top, bottom];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return { top: top / divisor, bottom: bottom / divisor, rough: Number(top) / Number(bottom) };
}

/** A part of an amount, exact except for the given rounding. */
export function partOf(amount: Money, { top, bottom }: Ratio, rounding: MoneyRounding): Money {
  return quotient(amount * top, bottom, rounding);
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
