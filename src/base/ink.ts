/** Colors a text for a terminal. */
import { styleText } from 'node:util';
import { inks, type Ink } from './palette.ts';

/** A text in the color of its meaning, with the codes of a terminal. */
export function inked(ink: Ink, text: string): string {
  return styleText(inks[ink], text, { validateStream: false });
}
