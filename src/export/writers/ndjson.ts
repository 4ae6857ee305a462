/** Rows as one JSON object a line. */
import type { Row } from '../row.ts';

export async function* ndjsonTexts(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
