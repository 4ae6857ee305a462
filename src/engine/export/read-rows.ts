/** Rows of a file from an earlier step, after its manifest proves that it is complete. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { plainText } from '../../base/text.ts';
import { csvRows } from './csv-rows.ts';
import type { CsvStyle } from '../../base/csv-style.ts';
import { ExportError, notOurs, systemCodeOf } from './error.ts';
import { isCompressed } from './formats.ts';
import { isRow, type Row } from '../../exchange/api/listing.ts';
import { filePartsOf } from './target.ts';
import { verifyFile } from './verify.ts';

/** Formats that can be read back; the others are for other programs. */
export const readableFormats = ['csv', 'ndjson', 'json'] as const;
export type ReadableFormat = (typeof readableFormats)[number];

/**
 * Streams the rows in bounded memory. A CSV file has only texts; in the others numbers and lists
 * are unchanged.
 * @throws ExportError when the file does not match its manifest, or cannot be read back
 */
export async function* readRows(workspace: string, file: string): AsyncGenerator<Row> {
  const path = join(workspace, ...filePartsOf(file));
  const found = await verifyFile(path);
  if (found.kind !== 'whole') {
    throw new ExportError(
      'file-changed',
      `${file} was changed since it was written: ${found.because}`,
      {
        hint: 'do not change files of a run before it is done; run it again',
      },
    );
  }
  const format = readableFormats.find((known) => known === found.claim.format);
  if (format === undefined) {
    throw new ExportError('file-format', `the rows of ${plainText(file, 120)} cannot be read`, {
      hint: `write them as ${readableFormats.join(', ')}`,
    });
  }
  yield* rowsOfFile(path, format, found.claim.csv);
}

/** The rows of a file. @throws ExportError when its format is invalid */
export function rowsOfFile(
  path: string,
  format: ReadableFormat,
  csv?: CsvStyle,
): AsyncGenerator<Row> {
  const texts = textsOf(path);
  return format === 'csv' ? csvRows(texts, path, csv) : jsonRows(texts, path);
}

async function* textsOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const bytes = isCompressed(path) ? pipeline(file, createGunzip(), () => undefined) : file;
  bytes.setEncoding('utf8');
  try {
    for await (const text of bytes) yield String(text);
  } catch (error) {
    if (systemCodeOf(error).startsWith('Z_')) throw notOurs(path, 'cannot be decompressed', error);
    throw error;
  }
}

/** Both of our JSON formats have one row per line; a list also has commas and brackets. */
async function* jsonRows(texts: AsyncIterable<string>, file: string): AsyncGenerator<Row> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield* rowIn(line, file);
  }
  yield* rowIn(rest, file);
}

function* rowIn(line: string, file: string): Generator<Row> {
  const text = line.replace(/,$/, '');
  if (!text.startsWith('{')) return;
  const value = jsonOf(text, file);
  if (isRow(value)) yield value;
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notOurs(file, 'has a line that is not JSON', error);
  }
}
