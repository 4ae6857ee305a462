/** Texts with other quotes in some places, of the same length, so that no offset changes. */

/** Offsets of its first character and after its last. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The text with the other quotes around these parts. */
export function inOtherQuotes(text: string, inner: readonly Part[]): string {
  let result = text;
  for (const { start, end } of inner) {
    const other = text.charAt(start) === '"' ? "'" : '"';
    const content = text.slice(start + 1, end - 1);
    result = `${result.slice(0, start)}${other}${content}${other}${result.slice(end)}`;
  }
  return result;
}

/** The text with these parts in double quotes, which replace their first and last characters. */
export function masked(text: string, found: readonly Part[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of found) {
    const inner = text
      .slice(start + 1, end - 1)
      .replaceAll('"', "'")
      .replaceAll('\\', '/');
    result += `${text.slice(at, start)}"${inner}"`;
    at = end;
  }
  return result + text.slice(at);
}
