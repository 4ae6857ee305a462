/** The stored form of an export's rows: that of its file if possible, else JSON. */
import { InternalError } from '../../../base/error.ts';
import type { CsvStyle } from '../../../base/csv-style.ts';
import type { SupportedFormat } from '../../export/formats.ts';
import { isRow, type Row } from '../../../exchange/api/listing.ts';
import { textsIn } from '../../export/disk.ts';
import { csvHeader, widened } from '../../export/writers/csv.ts';
import { recordEncoder } from '../../export/writers/csv-records.ts';
import { ndjsonLines } from '../../export/writers/ndjson.ts';
import type { Write } from '../../../language/playbook.ts';
import type { Gathered, Source } from './gather.ts';

/** The stored text is CSV records or JSON lines, in final form or not. */
export type Form = 'csv' | 'ndjson' | 'rows';

/** Rows are final when they arrive only if they are neither sorted nor checked for uniqueness. */
export function formOf(format: SupportedFormat, { sort, unique }: Write): Form {
  if (sort !== undefined || unique !== undefined) return 'rows';
  return format === 'csv' || format === 'ndjson' ? format : 'rows';
}

/** @param named the columns, if given; otherwise those of the rows */
export function keepAs(
  form: Form,
  named: readonly string[] | undefined,
  csv?: CsvStyle,
): Source['keep'] {
  if (form !== 'csv') return (rows) => ndjsonLines(rows.objects());
  const records = recordEncoder(csv);
  return (rows, found) => records(rows.objects(), named ?? found);
}

/** The file made of the stored rows, with its columns as the header of a CSV file. */
export async function* contentOf(
  form: Form,
  { bytes, sections }: Pick<Gathered, 'bytes' | 'sections'>,
  { columns, csv }: { readonly columns: readonly string[]; readonly csv: CsvStyle | undefined },
): AsyncGenerator<string | Uint8Array> {
  if (form !== 'csv') return yield* bytes();
  yield csvHeader(columns, csv);
  for (const [at, { from, columns: known }] of sections.entries()) {
    const records = bytes(from, sections[at + 1]?.from);
    const missing = columns.length - known;
    yield* missing === 0 ? records : widened(textsIn(records), missing, csv);
  }
}

/** Rows that were stored as JSON. */
export async function* rowsOf({ lines }: Pick<Gathered, 'lines'>): AsyncGenerator<Row> {
  for await (const line of lines()) yield rowIn(line);
}

/** Parses a line that we wrote ourselves. */
function rowIn(line: string): Row {
  const value: unknown = JSON.parse(line);
  if (!isRow(value)) throw new InternalError('a kept line is not a row');
  return value;
}
