/** Text for people: escaped for a terminal, truncated, counted, compared. */
import { distance } from 'fastest-levenshtein';

const longest = 500; // characters of foreign text shown in one place

/**
 * Text from the exchange, a file or an error as one safe line: control characters, line breaks and
 * bidirectional marks are escaped, and it is truncated at 500 characters.
 */
export function plainText(text: string, limit: number = longest): string {
  const shown = escapeControls(text);
  return shown.length > limit ? `${shown.slice(0, limit - 1)}…` : shown;
}

/** Escapes control characters without truncating. */
export function escapeControls(text: string): string {
  if (printable.test(text)) return text; // fast path: ten times faster for most texts
  return text.replace(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const digits = code.toString(16).padStart(4, '0');
    return code > 0xffff ? `\\u{${digits}}` : `\\u${digits}`;
  });
}

/** Prints a value as one line of JSON with control characters escaped; its meaning is unchanged. */
export function jsonLine(value: unknown): string {
  return escapedJson(JSON.stringify(value));
}

/** JSON text with control characters escaped: they occur only in its strings. */
export function escapedJson(text: string): string {
  return text.replace(unseenInJson, (character) =>
    Array.from({ length: character.length }, (_none, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/**
 * Controls (C0, DEL, C1), line and paragraph separators, unpaired surrogates, annotations, and
 * invisible characters: zero-width and bidirectional controls, fillers, tags, soft hyphens. Not the
 * variation selectors of emoji.
 */
const unseen =
  /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

const printable = /^[ -~]*$/;

/** Line feeds also occur between the values of JSON; inside strings they are already escaped. */
const unseenInJson =
  /(?![\ufe00-\ufe0f\n])[\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** The most similar word, or undefined when none is similar. */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.ceil(word.length / 3)) + 1;
  for (const candidate of known) {
    const between = distance(word.toLowerCase(), candidate.toLowerCase());
    if (between < bestDistance) [best, bestDistance] = [candidate, between];
  }
  return best;
}

/**
 * The text after a list about the rows that it does not show: `… 3 more rows`.
 * @param dots as a terminal draws them
 */
export function moreText(left: number, what = '', dots = '…'): string {
  return `${dots} ${what === '' ? `${left} more` : count(left, `more ${what}`)}`;
}

/** The text before a list about the rows that it does not show: `… 3 earlier rows`. */
export function earlierText(left: number, what: string): string {
  return `… ${count(left, `earlier ${what}`)}`;
}

/** `1 order`, `2 orders`; irregular plurals are given in full. */
export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}

/** Joins items to a list such as `a, b and c`. */
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

/** A duration for people: `40 ms`, `0.4 s`, `12 s`, `3 min`, `5 h`, `90 days`. */
export function spoken(ms: number): string {
  if (ms < 99.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}

/** Quotes a word for a shell; a word with control characters as `$'…'`, for bash, zsh and ksh. */
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
