/** Reads CSV strictly (RFC 4180): rows of cells, each with its place in the text. */
import { csvDelimiters, usualDelimiter, type CsvDelimiter } from './csv-style.ts';

export interface CsvRow {
  readonly cells: readonly string[];
  /** The offset of each cell in the text, with its quote. */
  readonly starts: readonly number[];
}

/** A text that is not CSV. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The delimiter of the first line: a tab or a semicolon if that is the only one there, else a comma. */
export function delimiterIn(text: string): CsvDelimiter {
  const [line = ''] = text.split(/[\r\n]/, 1);
  const found = csvDelimiters.filter((delimiter) => line.includes(delimiter));
  const [only = usualDelimiter] = found;
  return found.length === 1 ? only : usualDelimiter;
}

/**
 * The rows of a text without its byte order mark; lines without a character are not rows.
 * @throws CsvError for a quote inside a cell without quotes, after quotes, or without its end
 */
export function* csvRows(text: string, delimiter: CsvDelimiter): Generator<CsvRow> {
  let at = 0;
  while (at < text.length) {
    const cells: string[] = [];
    const starts: number[] = [];
    for (let isMore = true; isMore;) {
      starts.push(at);
      const { cell, end } =
        text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter);
      cells.push(cell);
      isMore = text[end] === delimiter;
      if (!isMore && end < text.length && !isLineEnd(text[end])) {
        throw new CsvError('there is text after the closing quote of a cell', end);
      }
      at = isMore ? end + 1 : end;
    }
    const isEmptyLine = at === starts[0];
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (!isEmptyLine) yield { cells, starts };
  }
}

interface Cell {
  readonly cell: string;
  /** The offset of the delimiter or line end after the cell. */
  readonly end: number;
}

function plainCell(text: string, start: number, delimiter: CsvDelimiter): Cell {
  let end = start;
  for (; end < text.length && text[end] !== delimiter && !isLineEnd(text[end]); end++) {
    if (text[end] !== '"') continue;
    throw new CsvError('a quote is inside a cell without quotes; write "…""…"', end);
  }
  return { cell: text.slice(start, end), end };
}

function quotedCell(text: string, start: number): Cell {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') at += 1;
    else return { cell: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 };
  }
  throw new CsvError('a cell has no closing quote', start);
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}
