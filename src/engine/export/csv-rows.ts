/** Parses the CSV that we write (RFC 4180), in chunks: every field is a text. */
import { notOurs } from './error.ts';
import type { Row } from '../../exchange/api/listing.ts';
import {
  byteOrderMark,
  usualDelimiter,
  type CsvDelimiter,
  type CsvStyle,
} from '../../base/csv-style.ts';

/** @throws ExportError when a record has another number of fields than the header */
export async function* csvRows(
  texts: AsyncIterable<string>,
  file: string,
  { delimiter = usualDelimiter }: CsvStyle = {},
): AsyncGenerator<Row> {
  let header: readonly string[] | undefined;
  for await (const record of recordsIn(withoutBom(texts), delimiter)) {
    const fields = record.map(withoutMark);
    if (header === undefined) {
      header = fields;
      continue;
    }
    if (fields.length !== header.length) {
      throw notOurs(file, `has a record of ${fields.length} fields, not ${header.length}`);
    }
    yield Object.fromEntries(header.map((name, at) => [name, fields[at] ?? '']));
  }
}

/** The mark that the writer adds before a text that looks like a formula. */
const marked = /(^|[;\t])'(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

function withoutMark(field: string): string {
  return field.replaceAll(marked, '$1');
}

async function* withoutBom(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const text of texts) {
    yield isFirst && text.startsWith(byteOrderMark) ? text.slice(1) : text;
    isFirst &&= text === '';
  }
}

async function* recordsIn(
  texts: AsyncIterable<string>,
  delimiter: CsvDelimiter,
): AsyncGenerator<string[]> {
  const plain = new RegExp(`[^"${delimiter}\\r\\n]*`, 'y'); // up to a delimiter, a line end or a quote
  let record: string[] = [];
  let field = '';
  let isQuoted = false;
  let wasQuote = false; // in a quoted field: its end, or the first half of a quote
  for await (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const sign = text[at] ?? '';
      if (isQuoted) {
        if (wasQuote) {
          wasQuote = false;
          if (sign === '"') {
            field += sign;
            continue;
          }
          isQuoted = false;
        } else {
          if (sign === '"') wasQuote = true;
          else field += sign;
          continue;
        }
      }
      if (sign === '"') isQuoted = true;
      else if (sign === delimiter) {
        record.push(field);
        field = '';
      } else if (sign === '\n') {
        yield [...record, field];
        record = [];
        field = '';
      } else if (sign !== '\r') {
        plain.lastIndex = at;
        const run = plain.exec(text)?.[0] ?? sign;
        field += run;
        at += run.length - 1;
      }
    }
  }
  if (field !== '' || record.length > 0) yield [...record, field];
}
