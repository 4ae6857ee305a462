/** Rows as CSV (RFC 4180, CRLF) that a spreadsheet does not take for formulas. */
import { fieldText, type Row } from '../row.ts';

const batch = 256; // rows given on at once; one by one costs more than writing them

/** @param columns the header; every row is written in this order */
export async function* csvTexts(
  rows: AsyncIterable<Row>,
  columns: readonly string[],
): AsyncGenerator<string> {
  let held = lineOf(columns);
  let count = 0;
  for await (const row of rows) {
    held += lineOf(columns.map((column) => fieldText(row, column)));
    count += 1;
    if (count % batch !== 0) continue;
    yield held;
    held = '';
  }
  if (held !== '') yield held;
}

function lineOf(fields: readonly string[]): string {
  // An empty line would be no record at all, so a lone empty field is quoted.
  if (fields.length === 1 && fields[0] === '') return '""\r\n';
  return `${fields.map(cellOf).join(',')}\r\n`;
}

const mustBeQuoted = /[",\r\n]/;

function cellOf(field: string): string {
  const text = harmless(field);
  return mustBeQuoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const plainNumber = /^-?\d+(\.\d+)?$/; // fees and losses are negative and must stay numbers
const opensFormula = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/; // the wide forms count as the narrow

function harmless(text: string): string {
  return opensFormula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}
