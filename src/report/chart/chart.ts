/** A chart of rows, drawn twice: for a page, and for the width of a phone. */
import { plainText } from '../../base/text.ts';
import type { Chart, ChartRequest } from '../../engine/export/document-parts.ts';
import { picturesOf } from './pictures.ts';
import { prepared } from './rows.ts';

/** @throws ChartError when the spec gives no chart, or is too expensive to draw */
export async function chartOf({ title, description, spec, rows }: ChartRequest): Promise<Chart> {
  const ready = prepared(spec, rows);
  const named = { title: plainText(title, 160), description: plainText(description, 400) };
  if (rows.length === 0) return { ...named, wide: '', narrow: '' };
  return { ...named, ...(await picturesOf(ready)) };
}
