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
  if (printable.test(text)) return text; // nearly all of it, at a tenth of the time
  return text.replace(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const digits = code.toString(16).padStart(4, '0');
    return code > 0xffff ? `\\u{${digits}}` : `\\u${digits}`;
  });
}

/** One line of JSON with the same characters escaped, so that its meaning stays the same. */
export function jsonLine(value: unknown): string {
  return escapedJson(JSON.stringify(value));
}

/** JSON text with them escaped: they are nowhere but in its strings. */
export function escapedJson(text: string): string {
  return text.replace(unseenInJson, (character) =>
    Array.from({ length: character.length }, (_none, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/**
 * Controls (C0, DEL, C1), line and paragraph separators, halves of surrogate pairs, annotations, and
 * what is drawn as nothing: zero-width and bidirectional controls, fillers, tags, soft hyphens. Not
 * the variation selectors that emoji end in.
 */
const unseen =
  /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

const printable = /^[ -~]*$/;

/** Line feeds are between the values of JSON as well; in its strings they are escaped already. */
const unseenInJson =
  /(?![\ufe00-\ufe0f\n])[\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

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

/** A word as a shell reads it back; one with controls in it as `$'…'`, for bash, zsh and ksh. */
export function shellWord(word: string): string {
  if (/^(?!=)[\w./=:@,+-]+$/.test(word)) return word;
  const shown = escapeControls(word);
  if (shown === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = word.replace(/['\\]/g, String.raw`\$&`).replace(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `$'${escaped}'`;
}
