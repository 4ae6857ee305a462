/** Rows as CSV (RFC 4180, CRLF) that spreadsheets do not evaluate as formulas. */
import type { Row } from '../../../exchange/api/listing.ts';
import { byteOrderMark, usualDelimiter, type CsvStyle } from '../../../base/csv-style.ts';
import { cellOf } from './csv-cell.ts';
import { recordEncoder } from './csv-records.ts';

const batch = 256; // rows per chunk; single rows are slower to write

/**
 * The bytes of a file; those of a chunk are valid until the next is requested.
 * @param columns the header; every row has this order
 */
export async function* csvBytes(
  rows: AsyncIterable<Row>,
  columns: readonly string[],
  style: CsvStyle = {},
): AsyncGenerator<string | Uint8Array> {
  yield csvHeader(columns, style);
  const records = recordEncoder(style);
  let pending: Row[] = [];
  for await (const row of rows) {
    pending.push(row);
    if (pending.length < batch) continue;
    yield records(pending, columns);
    pending = [];
  }
  if (pending.length > 0) yield records(pending, columns);
}

/** The start of a file: the header record with the column names. */
export function csvHeader(
  columns: readonly string[],
  { bom = false, delimiter = usualDelimiter }: CsvStyle = {},
): string {
  const record = columns.map(cellOf).join(delimiter);
  const isEmpty = columns.length === 1 && record === ''; // an empty line would not be a record
  return `${bom ? byteOrderMark : ''}${isEmpty ? '""' : record}\r\n`;
}

/** Records extended by additional empty columns. */
export async function* widened(
  records: AsyncIterable<string>,
  columns: number,
  { delimiter = usualDelimiter }: CsvStyle = {},
): AsyncGenerator<string> {
  const more = delimiter.repeat(columns);
  let isQuoted = false;
  for await (const text of records) {
    yield text.replaceAll(/["\r]/g, (sign) => {
      if (sign === '"') isQuoted = !isQuoted; // a doubled quote toggles twice
      return sign === '\r' && !isQuoted ? `${more}\r` : sign;
    });
  }
}
