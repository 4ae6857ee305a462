/** Charts that a run drew, as its journal keeps them. */
import { chartIn, type Chart } from '../../engine/export/document-parts.ts';
import type { Story } from '../story.ts';
import { panel } from './draw.ts';
import { drawing, html, type Html } from './html.ts';

export function chartsPanel(story: Story): Html | undefined {
  const charts = chartsOf(story);
  if (charts.length === 0) return undefined;
  return html`<div class="charts">${charts.map((chart, at) => chartPanel(chart, `c${at}`))}</div>`;
}

/**
 * A panel with a chart. @param mark distinguishes the ids inside the drawing from those of others on the page
 */
export function chartPanel({ title, description, wide, narrow }: Chart, mark: string): Html {
  const drawn = [
    html`<div class="chart far">${labelled(wide, description, `${mark}w`)}</div>`,
    html`<div class="chart near">${labelled(narrow, description, `${mark}n`)}</div>`,
  ];
  const nothing = html`<p class="dim">There were no rows to draw.</p>`;
  return panel(mark, title, wide === '' ? nothing : drawn);
}

/** The drawing with a label: for screen readers the whole drawing is one picture with a description. */
function labelled(svg: string, description: string, mark: string): Html | undefined {
  const text = description.replace(/[<>"&]/g, ' ');
  return drawing(svg.replace(/^<svg/, `<svg role="img" aria-label="${text}"`), mark);
}

function chartsOf({ steps }: Story): Chart[] {
  return steps
    .filter(({ uses }) => uses === 'report/chart')
    .flatMap(({ actions }) => actions)
    .map(({ outcome }) => (outcome?.kind === 'done' ? chartIn(outcome.output) : undefined))
    .filter((chart) => chart !== undefined);
}
