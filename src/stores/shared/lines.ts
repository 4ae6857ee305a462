/** Splits and checks journal lines on their way to a shared database. */
import { fieldOf } from '../../base/json.ts';
import { linkOf, unframe } from '../../engine/journal/record.ts';
import { chainStart } from '../../engine/journal/record.ts';
import type { LineRow } from './shared-runs.ts';

const rowMax = 1024 * 1024; // characters; a longer line is a row by itself
const batchMax = 8 * rowMax; // characters sent in one statement

/**
 * Splits lines into rows, and rows into batches.
 * @param after number of the lines before them
 */
export function batchesOf(text: string, after: number): readonly (readonly LineRow[])[] {
  const batches: LineRow[][] = [];
  let size = batchMax;
  for (const row of rowsOf(text, after)) {
    size += row.text.length;
    if (size > batchMax) {
      batches.push([]);
      size = row.text.length;
    }
    batches.at(-1)?.push(row);
  }
  return batches;
}

function rowsOf(text: string, after: number): readonly LineRow[] {
  const rows: LineRow[] = [];
  let first = after + 1;
  let last = after;
  let begin = 0;
  for (let end = text.indexOf('\n') + 1; end > 0; end = text.indexOf('\n', end) + 1) {
    const next = text.indexOf('\n', end) + 1;
    last += 1;
    if (next > 0 && next - begin <= rowMax) continue;
    rows.push({ first, last, text: text.slice(begin, end) });
    first = last + 1;
    begin = end;
  }
  return rows;
}

/** Number of complete lines. */
export function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The part of a text after a number of lines; nothing if it has fewer. */
export function afterLines(text: string, count: number): string {
  let at = 0;
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return '';
  }
  return text.slice(at);
}

/** The link of the last line. @throws DamagedRecordError */
export function lastLink(text: string): string {
  return text === '' ? chainStart : linkOf(lastOf(text));
}

/** Whether the last line is the end of its run: nothing is sent after it. @throws DamagedRecordError */
export function isEnd(text: string): boolean {
  if (!text.includes('"finished"')) return false;
  return fieldOf(JSON.parse(lastOf(text)), 'kind') === 'finished';
}

function lastOf(text: string): string {
  const begin = text.lastIndexOf('\n', text.length - 2) + 1;
  return unframe(text.slice(begin, -1));
}
