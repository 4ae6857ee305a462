/** A chart of rows, drawn twice: for a page, and for the width of a telephone. */
import { plainText } from '../../base/text.ts';
import type { Chart, ChartRequest } from '../../export/paper.ts';
import { draw } from './draw.ts';
import { prepared } from './rows.ts';

const widths = { wide: 900, narrow: 250 } as const; // pixels of what is drawn, without its axis

/** @throws ChartError when the spec does not lead to a chart */
export async function chartOf({ title, description, spec, rows }: ChartRequest): Promise<Chart> {
  const ready = prepared(spec, rows);
  const named = { title: plainText(title, 160), description: plainText(description, 400) };
  if (rows.length === 0) return { ...named, wide: '', narrow: '' };
  return {
    ...named,
    wide: await draw({ ...ready, width: widths.wide }),
    narrow: await draw({ ...ready, width: widths.narrow }),
  };
}
