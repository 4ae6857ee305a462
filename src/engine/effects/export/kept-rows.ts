/** The stored form of an export's rows: that of its file if possible, else JSON. */
import { InternalError } from '../../../base/error.ts';
import type { CsvStyle } from '../../../base/csv-style.ts';
import type { SupportedFormat } from '../../export/formats.ts';
import { isRow, type Row } from '../../../exchange/api/listing.ts';
import { csvHeader, csvRecords, widened } from '../../export/writers/csv.ts';
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
  return form === 'csv'
    ? (rows, found) => csvRecords(rows, named ?? found, csv)
    : (rows) => ndjsonLines(rows.objects());
}

/** The file made of the stored rows, with its columns as the header of a CSV file. */
export async function* textsOf(
  form: Form,
  { texts, sections }: Pick<Gathered, 'texts' | 'sections'>,
  { columns, csv }: { readonly columns: readonly string[]; readonly csv: CsvStyle | undefined },
): AsyncGenerator<string> {
  if (form !== 'csv') return yield* texts();
  yield csvHeader(columns, csv);
  for (const [at, { from, columns: known }] of sections.entries()) {
    const records = texts(from, sections[at + 1]?.from);
    yield* known === columns.length ? records : widened(records, columns.length - known, csv);
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
