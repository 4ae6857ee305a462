/** Prices and sizes as safe integers in units of their last decimal place. */

/** The result of parsing a decimal at a scale, or why it is invalid. */
export type Units = number | 'not-a-number' | 'too-many-places' | 'too-large';

/** Powers of ten from a table, because these stay small integers, which are fastest. */
const powers = Array.from({ length: 16 }, (_, places) => 10 ** places);

const zero = 48;
const nine = 57;
const point = 46;

/** Parses a decimal: `12.34` at scale 2 is 1234. No sign, no exponent, no spaces. */
export function parseUnits(text: string, scale: number): Units {
  let units = 0;
  let places = -1; // negative before the decimal point
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === point && places < 0 && at > 0) {
      places = 0;
    } else if (code < zero || code > nine) {
      return 'not-a-number';
    } else {
      if (at === 1 && units === 0 && places < 0) return 'not-a-number'; // a leading zero
      units = units * 10 + (code - zero);
      if (units > Number.MAX_SAFE_INTEGER) return 'too-large';
      if (places >= 0) places++;
    }
  }
  if (text.length === 0 || places === 0) return 'not-a-number';
  if (places > scale) return 'too-many-places';
  const missing = scale - Math.max(places, 0);
  const scaled = missing === 0 ? units : units * (powers[missing] ?? 10 ** missing);
  return scaled > Number.MAX_SAFE_INTEGER ? 'too-large' : scaled;
}

/**
 * Formats a decimal: 1234 at scale 2 is `12.34`, always with as many decimal places as the scale.
 */
export function formatUnits(units: number, scale: number): string {
  if (scale === 0) return String(units);
  const digits = String(units).padStart(scale + 1, '0');
  const cut = digits.length - scale;
  return `${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** A product of a price and a size of any magnitude. */
export function product(ticks: number, lots: number): bigint {
  const points = ticks * lots;
  return points <= Number.MAX_SAFE_INTEGER ? BigInt(points) : BigInt(ticks) * BigInt(lots);
}
