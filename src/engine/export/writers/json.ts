/** Rows as one JSON list, one row per line. */
import type { Row } from '../../../exchange/api/listing.ts';

export async function* jsonTexts(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const row of rows) {
    yield `${isFirst ? '[\n' : ',\n'}${JSON.stringify(row)}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}
