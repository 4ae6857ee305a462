/** The two drawings of a chart. */
import type { Pictures, Prepared } from './aside.ts';
import { draw } from './draw.ts';

const widths = { wide: 900, narrow: 250 } as const; // pixels of the drawing, without its axis

/** @throws ChartError when the spec gives no chart */
export async function drawBoth(ready: Prepared): Promise<Pictures> {
  return {
    wide: await draw({ ...ready, width: widths.wide }),
    narrow: await draw({ ...ready, width: widths.narrow }),
  };
}
