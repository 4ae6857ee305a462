/** Aligns lines in columns; the last column is wrapped to the width of the terminal. */
import { stripVTControlCharacters } from 'node:util';
import type { Theme } from './theme.ts';

export interface ColumnOptions {
  /** Number of blanks before the first column. */
  readonly indent: number;
  /** Indexes of right-aligned columns. */
  readonly right?: readonly number[];
  /** Number of blanks, besides the indent, before a last cell that does not fit next to the others. */
  readonly below?: number;
}

const gap = 2; // blanks between columns
const narrowest = 24; // characters the last column needs besides the others

/** Rows as aligned lines; a row may have fewer cells than others. */
export function columns(
  rows: readonly (readonly string[])[],
  theme: Theme,
  { indent, right = [], below = 4 }: ColumnOptions,
): string[] {
  const widths = widthsOf(rows);
  return rows.flatMap((row) => {
    const head = row.slice(0, -1).map((cell, index) => {
      const width = widths[index] ?? 0;
      return right.includes(index) ? padStart(cell, width) : padEnd(cell, width);
    });
    const start = ' '.repeat(indent) + head.map((cell) => cell + ' '.repeat(gap)).join('');
    const last = row.at(-1) ?? '';
    if (theme.columns - widthOf(start) < Math.min(narrowest, widthOf(last))) {
      return [start.trimEnd(), ...wrapped(last, theme, indent + below)];
    }
    const room = Math.max(narrowest, theme.columns - widthOf(start));
    const [first = '', ...more] = breakLines(last, room);
    const margin = ' '.repeat(widthOf(start));
    return [`${start}${first}`.trimEnd(), ...more.map((line) => margin + line)];
  });
}

/** A paragraph wrapped at spaces, with every line indented. */
export function wrapped(text: string, theme: Theme, indent: number): string[] {
  const margin = ' '.repeat(indent);
  return breakLines(text, Math.max(narrowest, theme.columns - indent)).map((line) => margin + line);
}

/**
 * Parts separated by three spaces, in as few lines as possible; a part that fits into a line is not
 * wrapped.
 */
export function packed(parts: readonly string[], theme: Theme, indent: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const line = lines.at(-1);
    const longer = `${line}   ${part}`;
    if (line !== undefined && widthOf(longer) <= theme.columns) lines.splice(-1, 1, longer);
    else
      lines.push(
        ...(line === undefined ? breakLines(part, theme.columns) : wrapped(part, theme, indent)),
      );
  }
  return lines;
}

/** Whether each character of a text is one column wide. */
function isNarrow(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** The number of visible characters: color codes do not count. */
export function widthOf(text: string): number {
  if (isNarrow(text)) return text.length;
  const seen = stripVTControlCharacters(text);
  return Array.from(seen).length + (seen.match(wide)?.length ?? 0);
}

/** Characters that are two columns wide; some symbols contain them. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu;

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text;
}

/** Widths of all columns except the last, which gets the remaining width. */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    });
  }
  return widths;
}

/**
 * Wraps a text at spaces into lines of at most `room` characters; a longer word has its own line.
 */
export function breakLines(text: string, room: number): string[] {
  if (isNarrow(text)) return brokenAt(text, room);
  const [first = '', ...words] = text.split(' ');
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    if (widthOf(line) + 1 + widthOf(word) <= room) {
      line += ` ${word}`;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line];
}

/** The lines of a text of one-column characters, found faster: there may be thousands of texts. */
function brokenAt(text: string, room: number): string[] {
  const lines: string[] = [];
  let from = 0;
  while (text.length - from > room) {
    const last = text.lastIndexOf(' ', from + room);
    const cut = last < from ? text.indexOf(' ', from + room) : last;
    if (cut === -1) break;
    lines.push(text.slice(from, cut));
    from = cut + 1;
  }
  return [...lines, text.slice(from)];
}
