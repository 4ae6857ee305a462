/** A custom page: text, figures, charts and tables, with their sources. */
import { count, grouped, plainText } from '../../base/text.ts';
import type { Figure, PagePart, PageRequest } from '../../export/document-parts.ts';
import type { Row } from '../../api/listing.ts';
import type { Entry } from '../../journal/entry.ts';
import { chartPanel } from '../page/charts.ts';
import { bar } from '../page/head.ts';
import { html, type Html } from '../page/html.ts';
import { framed } from '../page/page.ts';
import { table, type Column } from '../page/table.ts';
import { storyOf, type Story } from '../story.ts';
import { summaryOfStory } from '../summary.ts';
import { moment } from '../words.ts';
import { cellOf, isNumbers, placesIn } from './cells.ts';
import { markup } from './markdown.ts';
import { sourcesPanel } from './sources.ts';

/** @param entries the journal so far: the reads until now, and the destination of the run */
export function documentPage(
  { title, parts }: PageRequest,
  entries: readonly Entry[],
  program: string,
): string {
  const story = storyOf(entries);
  const summary = summaryOfStory(story);
  const body = html`<header>
      <div class="title"><h1>${plainText(title, 200)}</h1></div>
      ${facts(story)}
    </header>
    ${parts.map(partOf)} ${sourcesPanel(story, program)}`;
  return framed({ title: plainText(title, 200), bar: bar(summary), body });
}

function facts({ started }: Story): Html {
  const { destination, time, playbook, run } = started;
  const account = plainText(destination.profile, 60);
  return html`<ul class="facts">
    <li>account <b>${account}</b></li>
    <li>as of <b>${moment(time)} UTC</b></li>
    <li>playbook <b>${plainText(playbook.name, 80)}</b></li>
    <li>
      run <b><code>${plainText(run, 60)}</code></b>
    </li>
  </ul>`;
}

function partOf(part: PagePart, at: number): Html {
  switch (part.kind) {
    case 'text':
      return html`<div class="prose">${markup(part.text)}</div>`;
    case 'figures':
      return html`<div class="tallies figures">${part.figures.map(figure)}</div>`;
    case 'chart':
      return chartPanel(part.chart, `p${at}`);
    case 'table':
      return tablePanel(part, `p${at}`);
    case 'missing':
      return html`<section class="panel edge warn">
        <p class="strong">${plainText(part.step, 60)} was not done: its rows are missing here.</p>
      </section>`;
  }
}

function figure({ name, value }: Figure): Html {
  const shown = cellOf(value);
  return html`<div class="card ${shown.length > 14 ? 'long' : ''}">
    <h2>${plainText(name, 80)}</h2>
    <b>${shown}</b>
  </div>`;
}

function tablePanel(
  { title, columns, rows, total, files }: Extract<PagePart, { kind: 'table' }>,
  mark: string,
): Html {
  const rest = total - rows.length;
  const where =
    files.length === 0 ? '' : ` in ${files.map((file) => plainText(file, 160)).join(', ')}`;
  return html`<section class="panel" aria-labelledby="${mark}">
    <h2 id="${mark}">
      ${plainText(title, 160)}
      <small>${grouped(String(total))} ${total === 1 ? 'row' : 'rows'}</small>
    </h2>
    ${total === 0 ? html`<p class="dim">There are no rows.</p>` : table(columnsOf(columns, rows), rows)}
    ${rest > 0 ? html`<p class="dim">${'…'} ${count(rest, 'more row')}${where}</p>` : undefined}
  </section>`;
}

function columnsOf(names: readonly string[], rows: readonly Row[]): Column<Row>[] {
  return names.map((name): Column<Row> => {
    const isNumber = isNumbers(rows, name);
    const places = isNumber ? placesIn(rows, name) : 0;
    const cell = (row: Row): string => cellOf(row[name] ?? '', { isNumber, places });
    return { name: plainText(name, 60), cell, ...(isNumber && { isNumber: true }) };
  });
}
