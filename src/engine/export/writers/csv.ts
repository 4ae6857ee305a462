/** Rows as CSV (RFC 4180, CRLF) that spreadsheets do not evaluate as formulas. */
import type { Listing } from '../../../exchange/api/listing.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { fieldText } from '../row.ts';
import { byteOrderMark, usualDelimiter, type CsvStyle } from '../../../base/csv-style.ts';

const batch = 256; // rows per chunk; single rows are slower to write

/** @param columns the header; every row has this order */
export async function* csvTexts(
  rows: AsyncIterable<Row>,
  columns: readonly string[],
  style: CsvStyle = {},
): AsyncGenerator<string> {
  const { delimiter = usualDelimiter } = style;
  let pending = csvHeader(columns, style);
  let count = 0;
  for await (const row of rows) {
    pending += recordOf(row, columns, delimiter);
    count += 1;
    if (count % batch !== 0) continue;
    yield pending;
    pending = '';
  }
  if (pending !== '') yield pending;
}

/** The start of a file: the header record with the column names. */
export function csvHeader(
  columns: readonly string[],
  { bom = false, delimiter = usualDelimiter }: CsvStyle = {},
): string {
  return `${bom ? byteOrderMark : ''}${ended(columns.map(cellOf).join(delimiter), columns)}`;
}

/** Rows as records without a header. */
export function csvRecords(
  rows: Listing,
  columns: readonly string[],
  { delimiter = usualDelimiter }: CsvStyle = {},
): string {
  let records = '';
  for (const row of rows.objects()) records += recordOf(row, columns, delimiter);
  return records;
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

function recordOf(row: Row, columns: readonly string[], delimiter: string): string {
  let record = '';
  let separator = '';
  for (const column of columns) {
    record += separator + cellOf(fieldText(row, column));
    separator = delimiter;
  }
  return ended(record, columns);
}

/** Ends a record. An empty line would not be one, so a single empty field is quoted. */
function ended(record: string, { length }: { readonly length: number }): string {
  return length === 1 && record === '' ? '""\r\n' : `${record}\r\n`;
}

function cellOf(field: string): string {
  if (isPlain(field)) return field;
  const text = harmless(field);
  return mustBeQuoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Whether a field needs no quotes. Nearly every field is plain, and this loop is faster than the
 * patterns below.
 */
function isPlain(field: string): boolean {
  if (field === '') return true;
  const first = field.charCodeAt(0);
  if (first < 0x30 || first > 0x7a || first === 0x3b || first === 0x3d || first === 0x40) {
    return false;
  }
  for (let at = 1; at < field.length; at++) {
    const code = field.charCodeAt(at);
    if (code <= 0x0d || code === 0x22 || code === 0x2c || code === 0x3b) return false;
  }
  return true;
}

const mustBeQuoted = /[",;\t\r\n]/;
const plainNumber = /^-?\d+(\.\d+)?$/; // fees and losses are negative and must stay numbers
/**
 * Texts that get a mark: full-width forms count as ASCII, and a text that already has the mark gets
 * another, so that removing it restores the text. In spreadsheets that separate cells by semicolons
 * or tabs, quotes within a line do not protect a cell: the text after a separator starts a cell
 * there.
 */
const opensFormula = /(^|[;\t])(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

function harmless(text: string): string {
  return plainNumber.test(text) ? text : text.replaceAll(opensFormula, "$1'");
}
