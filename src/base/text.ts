/** Text for people: made safe for a terminal, cut, counted, compared. */
import { distance } from 'fastest-levenshtein';

const longest = 500; // characters of foreign text shown in one place

/**
 * Text from the exchange, a file or an error as one harmless line: control characters, line
 * breaks and bidirectional marks are shown as escapes, and it is cut at 500 characters.
 */
export function plainText(text: string, limit: number = longest): string {
  const shown = escapeControls(text);
  return shown.length > limit ? `${shown.slice(0, limit - 1)}…` : shown;
}

/** The same escapes without a cut. */
export function escapeControls(text: string): string {
  return text.replace(
    // C0, DEL, C1, zero-width and bidirectional controls, line and paragraph separators, BOM.
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The word a person probably meant, or undefined when none is near. */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.ceil(word.length / 3)) + 1;
  for (const candidate of known) {
    const between = distance(word.toLowerCase(), candidate.toLowerCase());
    if (between < bestDistance) [best, bestDistance] = [candidate, between];
  }
  return best;
}

/** `1 order`, `2 orders`; a plural that is not formed with s is given in full. */
export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}

/** `a, b and c`. */
export function listed(items: readonly string[], joiner = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${joiner} ${items.at(-1)}`;
}

/** Groups the digits of a decimal text: `41250.00` becomes `41,250.00`. */
export function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

/** A length of time for people: `40 ms`, `0.4 s`, `12 s`, `3 min`, `5 h`, `90 days`. */
export function spoken(ms: number): string {
  if (ms < 99.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}

/** A word that any shell takes as it is. */
export function shellWord(word: string): string {
  return /^[\w./=:@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
