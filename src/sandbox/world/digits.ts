/** Whole numbers of small units as decimal texts and back, without a float in between. */

/** `1234` at scale 2 is `12.34`. */
export function scaled(units: number | bigint, scale: number): string {
  const negative = units < 0;
  const digits = String(negative ? -units : units).padStart(scale + 1, '0');
  const cut = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return negative ? `-${text}` : text;
}
