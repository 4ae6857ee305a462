/** Fractions of whole numbers: arithmetic that never rounds, to hold other arithmetic against. */

export interface Rational {
  readonly top: bigint;
  /** Above 0. */
  readonly bottom: bigint;
}

export function rational(top: bigint, bottom = 1n): Rational {
  return bottom < 0n ? { top: -top, bottom: -bottom } : { top, bottom };
}

/** A plain decimal text. */
export function rationalOf(text: string): Rational {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction);
  return rational(text.startsWith('-') ? -size : size, 10n ** BigInt(fraction.length));
}

export const plus = (a: Rational, b: Rational): Rational =>
  rational(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
export const negative = (a: Rational): Rational => rational(-a.top, a.bottom);
export const minus = (a: Rational, b: Rational): Rational => plus(a, negative(b));
export const times = (a: Rational, b: Rational): Rational =>
  rational(a.top * b.top, a.bottom * b.bottom);
export const over = (a: Rational, b: Rational): Rational =>
  rational(a.top * b.bottom, a.bottom * b.top);
export const isBelow = (a: Rational, b: Rational): boolean => minus(a, b).top < 0n;
export const areSame = (a: Rational, b: Rational): boolean => minus(a, b).top === 0n;

/** The largest whole number not above a fraction. */
function floorOf({ top, bottom }: Rational): bigint {
  return top >= 0n ? top / bottom : -((-top + bottom - 1n) / bottom);
}

/** The nearest fraction of so many tenths, hundredths …, by the name of a rounding. */
export function rounded(value: Rational, places: number, mode: string): Rational {
  const unit = rational(1n, 10n ** BigInt(places));
  const scaled = over(value, unit);
  const below = floorOf(scaled);
  const rest = minus(scaled, rational(below));
  if (rest.top === 0n) return value;
  const half = minus(rest, rational(1n, 2n)).top;
  const isNegative = value.top < 0n;
  const takesBelow: Readonly<Record<string, boolean>> = {
    floor: true,
    ceil: false,
    down: !isNegative,
    up: isNegative,
    'half-up': half < 0n || (half === 0n && isNegative),
    'half-even': half < 0n || (half === 0n && below % 2n === 0n),
  };
  return times(rational(takesBelow[mode] ? below : below + 1n), unit);
}

/** The largest multiple of a step that is not above a value. */
export function floorTo(value: Rational, step: Rational): Rational {
  return times(rational(floorOf(over(value, step))), step);
}
