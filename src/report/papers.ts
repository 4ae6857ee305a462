/** The papers a run draws while it goes on, for whoever runs it. */
import type { Chart, ChartRequest } from '../export/paper.ts';
import type { Entry } from '../journal/entry.ts';
import { runMarkdown } from './markdown/run.ts';
import { picture } from './chart/picture.ts';
import { runReport } from './page/page.ts';

export interface Papers {
  report(entries: readonly Entry[], file: string): string;
  draw(request: ChartRequest): Promise<Chart>;
  picture(chart: Chart): string;
}

/** @param program the one that prints them: `deskhand 0.1.0` */
export function papersBy(program: string): Papers {
  return {
    report: (entries, file) =>
      file.endsWith('.md') ? runMarkdown(entries) : runReport(entries, { program }),
    draw: async (request) => {
      // What draws is large, and few runs draw.
      const { chartOf } = await import('./chart/chart.ts');
      return chartOf(request);
    },
    picture,
  };
}
