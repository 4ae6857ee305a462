/** Renders the documents of a run: its report, charts and pages. */
import type {
  Chart,
  ChartRequest,
  PageRequest,
  TablePart,
} from '../engine/export/document-parts.ts';
import type { Entry } from '../engine/journal/entry.ts';
import type { TextTable } from '../base/text-table.ts';
import { picture } from './chart/picture.ts';
import { documentNote } from './document/note.ts';
import { runMarkdown } from './markdown/run-comment.ts';
import { plainPage } from './page/plain.ts';
import { textTable } from './blocks/text-table.ts';
import { runReport } from './page/page.ts';

export interface DocumentRenderer {
  report(entries: readonly Entry[], file: string): string;
  draw(request: ChartRequest): Promise<Chart>;
  page(request: PageRequest, entries: readonly Entry[], file: string): Promise<string>;
  picture(chart: Chart): string;
  plain(page: string): string;
  table(part: TablePart): TextTable;
}

/** Makes the renderer of documents. @param program that creates them: `deskhand 0.1.0` */
export function documentRenderer(program: string): DocumentRenderer {
  return {
    report: (entries, file) =>
      file.endsWith('.md') ? runMarkdown(entries) : runReport(entries, { program }),
    draw: async (request) => {
      // Loaded on demand: rendering is large, and few runs use it.
      const { chartOf } = await import('./chart/chart.ts');
      return chartOf(request);
    },
    page: async (request, entries, file) => {
      if (file.endsWith('.md')) return documentNote(request, entries, file);
      const { documentPage } = await import('./document/custom-page.ts');
      return documentPage(request, entries, program);
    },
    picture,
    plain: plainPage,
    table: textTable,
  };
}
