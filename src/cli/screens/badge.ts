/** SANDBOX or LIVE, on every screen. */
import type { Destination } from '../../journal/entry.ts';
import type { Look } from './look.ts';

/** The word in its colour; off a terminal the word alone. */
export function badge(target: Destination['target'], look: Look): string {
  const word = target === 'live' ? 'LIVE' : 'SANDBOX';
  if (!look.hasColour) return word;
  return look.paint(target === 'live' ? 'live' : 'sandbox', ` ${word} `);
}
