/** The footnote of a table or chart whose step continued without some items. */
import { count, plainText } from '../base/text.ts';
import type { Without } from '../engine/export/document-parts.ts';

const namedMax = 20; // keys; the rest is counted

/** `2 items of rates are missing: DOGE, PEPE`. */
export function withoutWords({ step, keys }: Without): string {
  const names = keys.slice(0, namedMax).map((key) => plainText(key, 80));
  const left = keys.length - names.length;
  const rest = left > 0 ? ` and ${left} more` : '';
  const are = keys.length === 1 ? 'is' : 'are';
  return `${count(keys.length, 'item')} of ${plainText(step, 60)} ${are} missing: ${names.join(', ')}${rest}`;
}
