/** Rows as one JSON object a line. */
import type { Row } from '../../../exchange/api/listing.ts';

export async function* ndjsonTexts(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows) yield ndjsonLines([row]);
}

export function ndjsonLines(rows: readonly Row[]): string {
  let lines = '';
  for (const row of rows) lines += `${JSON.stringify(row)}\n`;
  return lines;
}
