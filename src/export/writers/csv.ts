/** Rows as CSV (RFC 4180, CRLF) that a spreadsheet does not take for formulas. */
import { stringify } from 'csv-stringify/sync';
import { fieldText, type Row } from '../row.ts';

const batch = 256; // rows handed to the package at once; one by one costs ten times the time

/** @param columns the header; every row is written in this order */
export async function* csvTexts(
  rows: AsyncIterable<Row>,
  columns: readonly string[],
): AsyncGenerator<string> {
  const options = {
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/, // by itself the package quotes only CR and LF together
    // An empty line would be no record at all, so a lone empty field is quoted.
    quoted_empty: columns.length === 1,
  };
  let lines: string[][] = [columns.map(harmless)];
  for await (const row of rows) {
    lines.push(columns.map((column) => harmless(fieldText(row, column))));
    if (lines.length < batch) continue;
    yield stringify(lines, options);
    lines = [];
  }
  if (lines.length > 0) yield stringify(lines, options);
}

const plainNumber = /^-?\d+(\.\d+)?$/; // fees and losses are negative and must stay numbers
const opensFormula = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/; // the wide forms count as the narrow

function harmless(text: string): string {
  return opensFormula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}
