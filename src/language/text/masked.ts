/** Changes the quotes in some places of a text, which keeps its length, so that no offset changes. */

/** The offsets of a part's first character and after its last. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The text with the other quotes around these parts. */
export function inOtherQuotes(text: string, inner: readonly Part[]): string {
  return withReplaced(text, inner, otherQuotes);
}

/** A quoted text with the other quotes around it. */
export function otherQuotes(quoted: string): string {
  const other = quoted.startsWith('"') ? "'" : '"';
  return `${other}${quoted.slice(1, -1)}${other}`;
}

/** The text with these parts in double quotes, which replace their first and last characters. */
export function masked(text: string, found: readonly Part[]): string {
  return withReplaced(text, found, (part) => {
    return `"${part.slice(1, -1).replaceAll('"', "'").replaceAll('\\', '/')}"`;
  });
}

function withReplaced(
  text: string,
  parts: readonly Part[],
  replaced: (part: string) => string,
): string {
  let result = '';
  let at = 0;
  for (const { start, end } of parts) {
    result += `${text.slice(at, start)}${replaced(text.slice(start, end))}`;
    at = end;
  }
  return result + text.slice(at);
}
