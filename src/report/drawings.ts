/** The drawings of pages: a small one for each tone, and places on an axis. */
import type { Tone } from '../base/palette.ts';

/** The path of an SVG of 16 × 16, which is shown beside the word of a state. */
export const drawings: Readonly<Record<Tone, string>> = {
  good: 'M3.2 8.6l3.1 3.1 6.5-7',
  bad: 'M4 4l8 8M12 4l-8 8',
  doubt: 'M5.3 5.9a2.8 2.8 0 1 1 4 2.5c-.9.45-1.3 1-1.3 1.9M8 13.1v.1',
  warn: 'M8 3v6.4M8 12.9v.1',
  idle: 'M3.4 8a4.6 4.6 0 1 0 9.2 0 4.6 4.6 0 1 0-9.2 0',
};

/** A place on an axis, or a length, as a property of CSS. */
export function percentOfAxis(part: number, whole: number): string {
  return `${Math.min(100, (part / whole) * 100).toFixed(2)}%`;
}
