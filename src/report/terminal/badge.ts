/** The badge of every screen: SANDBOX, DEMO or LIVE. */
import type { Destination } from '../../engine/journal/entry.ts';
import type { Theme } from './theme.ts';
import { targetWord } from '../states.ts';

/** The badge in its color; without a terminal only the word. */
export function badge(target: Destination['target'], theme: Theme): string {
  const word = targetWord(target);
  if (!theme.hasColour) return word;
  return theme.paint(target, ` ${word} `);
}
