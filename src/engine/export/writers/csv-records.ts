/** Rows as records of a CSV file, encoded in one pass: a field is checked while it is copied. */
import { usualDelimiter, type CsvStyle } from '../../../base/csv-style.ts';
import { fieldsReader, type Json } from '../../../base/json.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { textOf } from '../row.ts';
import { cellOf, copyPlain, copyQuoted } from './csv-cell.ts';

/** Encodes the records of rows. The bytes are valid until the next call. */
export type RecordsOf = (rows: readonly Row[], columns: readonly string[]) => Uint8Array;

const initialBytes = 64 * 1024; // a page of 100 orders needs 22 KB
const longest = 3; // maximum bytes of a UTF-16 unit, in UTF-8 or as a doubled quote
const [cr, lf] = [0x0d, 0x0a];

/** An encoder of records, which uses the same memory for each call. */
export function recordEncoder({ delimiter = usualDelimiter }: CsvStyle = {}): RecordsOf {
  const separator = delimiter.charCodeAt(0);
  let bytes = Buffer.allocUnsafeSlow(initialBytes);
  let filled = 0;
  return function csvRecords(rows, columns) {
    filled = 0;
    const fieldsIn = fieldsReader(columns);
    const fields: (Json | undefined)[] = [];
    for (const row of rows) {
      fieldsIn(row, fields);
      addRecord(fields);
    }
    return bytes.subarray(0, filled);
  };

  function addRecord(fields: readonly (Json | undefined)[]): void {
    const start = filled;
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at];
      addField(typeof field === 'string' ? field : textOf(field), at > 0);
    }
    // An empty line would not be a record, so a single empty field is quoted.
    if (fields.length === 1 && filled === start) filled += bytes.write('""', filled);
    makeRoom(2);
    bytes[filled++] = cr;
    bytes[filled++] = lf;
  }

  function addField(text: string, isLater: boolean): void {
    makeRoom(3 + text.length * longest); // with its separator and its quotes
    let start = filled;
    if (isLater) bytes[start++] = separator;
    filled = copyPlain(text, bytes, start);
    if (filled === -1) filled = copyQuoted(text, bytes, start);
    if (filled === -1) addCell(cellOf(text), start);
  }

  function addCell(cell: string, start: number): void {
    filled = start;
    makeRoom(cell.length * longest);
    filled += bytes.write(cell, start);
  }

  function makeRoom(more: number): void {
    if (filled + more <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(filled + more, bytes.length * 2));
    larger.set(bytes.subarray(0, filled));
    bytes = larger;
  }
}
