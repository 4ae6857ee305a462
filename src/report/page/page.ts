/** The run report: one self-contained page without scripts; the frame of every page. */
import { pageStyle } from '../../base/page-style.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Printing } from '../blocks/provenance.ts';
import { storyOf } from '../story.ts';
import { summaryOfStory } from '../summary.ts';
import {
  answersPanel,
  doubtPanel,
  filesPanel,
  ordersPanel,
  stopPanel,
  warningsPanel,
} from './answers.ts';
import { chartsPanel } from './charts.ts';
import { bar, head } from './head.ts';
import { html, styleSheet, type Html } from './html.ts';
import { outputsPanel } from './outputs.ts';
import { provenance } from './provenance.ts';
import { requestsPanel } from './requests.ts';
import { sortingScript, sortingSource } from './sorting.ts';
import { charts } from './style/charts.ts';
import { documents } from './style/documents.ts';
import { frame } from './style/frame.ts';
import { media } from './style/media.ts';
import { parts } from './style/parts.ts';
import { time } from './style/time.ts';
import { timeline } from './timeline.ts';

/**
 * A page about one run; equal entries and the same program give equal text.
 * @param entries a whole journal, in order
 */
export function runReport(entries: readonly Entry[], printing: Printing): string {
  const story = storyOf(entries);
  const summary = summaryOfStory(story, { isWriting: true });
  const { playbook, run, headline } = summary;
  const body = html`${head(summary)} ${doubtPanel(summary)} ${stopPanel(summary)}
  ${warningsPanel(summary)} ${answersPanel(summary)} ${timeline(story, summary)}
  ${ordersPanel(summary)} ${chartsPanel(story)} ${filesPanel(summary)} ${outputsPanel(summary)}
  ${requestsPanel(story, summary)} ${provenance(story, summary, printing)}`;
  return framed({ title: `${playbook.name} ${run}: ${headline}`, bar: bar(summary), body });
}

/** The frame of every page: one self-contained file, without scripts unless its tables can be sorted. */
export function framed(page: {
  readonly title: string;
  readonly bar: Html;
  readonly body: Html;
  readonly isSorting?: boolean;
}): string {
  const { isSorting = false } = page;
  const allowed = isSorting ? `${policy}; script-src ${sortingSource}` : policy;
  const body = isSorting ? html`${page.body}${sortingScript()}` : page.body;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${allowed}" />
        <meta name="referrer" content="no-referrer" />
        <title>${page.title}</title>
        ${styleSheet(pageStyle(), frame, parts, time, charts, documents, media)}
      </head>
      <body>
        ${page.bar}
        <main>${body}</main>
      </body>
    </html> `.toString();
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
