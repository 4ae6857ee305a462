/** Draws a chart in two widths. */
import type { Pictures, Prepared } from './aside.ts';
import { draw } from './draw.ts';

const widths = { wide: 900, narrow: 250 } as const; // pixels of the plot area, without its axis

/** Draws a chart for a page and for a phone. @throws ChartError when the spec gives no chart */
export async function drawBoth(ready: Prepared): Promise<Pictures> {
  return {
    wide: await draw({ ...ready, width: widths.wide }),
    narrow: await draw({ ...ready, width: widths.narrow }),
  };
}
