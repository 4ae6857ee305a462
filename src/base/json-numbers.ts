/** Numbers of a JSON text in any notation: each must be exactly the number that JavaScript reads. */
import { JsonError, stringOrNumber } from './json.ts';

/**
 * Refuses digits that JavaScript drops: a person would read another number than the program.
 * @param text valid JSON
 * @throws JsonError
 */
export function refuseInexact(text: string): void {
  for (const [token] of text.matchAll(stringOrNumber)) {
    if (token.startsWith('"')) continue;
    const read = String(Number(token));
    if (read === token || plainForm(read) === plainForm(token)) continue;
    throw new JsonError('a number has more digits than are read');
  }
}

/** Equal for all notations of one number: `1.50`, `15e-1`. */
function plainForm(number: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}`;
}
