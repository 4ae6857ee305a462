/** A custom page: text, figures, charts and tables, with their sources. */
import { grouped, plainText } from '../../base/text.ts';
import type {
  Figure,
  PagePart,
  PageRequest,
  TablePart,
} from '../../engine/export/document-parts.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { cellOf } from '../blocks/cells.ts';
import { documentFacts } from '../blocks/facts.ts';
import { dataTable } from '../blocks/tables.ts';
import { chartPanel } from '../page/charts.ts';
import { factList, panel, table } from '../page/draw.ts';
import { bar } from '../page/head.ts';
import { html, type Html } from '../page/html.ts';
import { framed } from '../page/page.ts';
import { storyOf } from '../story.ts';
import { summaryOfStory } from '../summary.ts';
import { markup } from './markdown.ts';
import { withoutWords } from '../without.ts';
import { sourcesPanel } from './sources.ts';

/**
 * Draws a custom page.
 * @param entries the journal so far: its reads, and the destination of the run
 */
export function documentPage(
  { title, parts }: PageRequest,
  entries: readonly Entry[],
  program: string,
): string {
  const story = storyOf(entries);
  const summary = summaryOfStory(story, { isWriting: true });
  const body = html`<header>
      <div class="title"><h1>${plainText(title, 200)}</h1></div>
      ${factList(documentFacts(story))}
    </header>
    ${rowsOf(parts)} ${sourcesPanel(story, program)}`;
  const isSorting = parts.some((part) => part.kind === 'table' && part.sortable === true);
  return framed({ title: plainText(title, 200), bar: bar(summary), body, isSorting });
}

/** The parts from top to bottom; neighbours that take a part of the width share a row. */
function rowsOf(parts: readonly PagePart[]): readonly Html[] {
  const rows: { readonly width: string; readonly parts: Html[] }[] = [];
  for (const [at, part] of parts.entries()) {
    const width = 'width' in part && part.width !== undefined ? part.width : 'full';
    const last = rows.at(-1);
    if (width !== 'full' && last?.width === width) last.parts.push(partOf(part, at));
    else rows.push({ width, parts: [partOf(part, at)] });
  }
  return rows.map(({ width, parts: inside }) => {
    const shown = inside.map((each) => html`<div class="cell">${each}</div>`);
    return width === 'full' ? html`${inside}` : html`<div class="beside ${width}">${shown}</div>`;
  });
}

function partOf(part: PagePart, at: number): Html {
  switch (part.kind) {
    case 'text':
      return html`<div class="prose">${markup(part.text)}</div>`;
    case 'figures':
      return html`<div class="tallies figures">${part.figures.map(figure)}</div>`;
    case 'chart':
      return html`${chartPanel(part.chart, `p${at}`)}${footnotes(part)}`;
    case 'table':
      return html`${tablePanel(part, `p${at}`)}${footnotes(part)}`;
    case 'missing':
      return html`<section class="panel edge warn">
        <p class="strong">${plainText(part.step, 60)} was not done: its rows are missing here.</p>
      </section>`;
  }
}

/** Names the items that are missing in a table or chart. */
function footnotes({ without = [] }: Extract<PagePart, { kind: 'table' | 'chart' }>): Html {
  return html`${without.map((each) => html`<p class="dim">${withoutWords(each)}.</p>`)}`;
}

function figure({ name, value }: Figure): Html {
  const shown = cellOf(value);
  return html`<div class="card ${shown.length > 14 ? 'long' : ''}">
    <h2>${plainText(name, 80)}</h2>
    <b>${shown}</b>
  </div>`;
}

function tablePanel(part: TablePart, mark: string): Html {
  const { title, total } = part;
  const heading = html`${plainText(title, 160)}
    <small>${grouped(String(total))} ${total === 1 ? 'row' : 'rows'}</small>`;
  const nothing = html`<p class="dim">There are no rows.</p>`;
  return panel(mark, heading, total === 0 ? nothing : table(dataTable(part)));
}
