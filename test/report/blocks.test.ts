/** A page and a comment draw the same blocks: no column, row or warning is in only one of them. */
import { expect, test } from 'vitest';
import { drawn, tableBlock } from '../../src/report/markdown/draw.ts';
import { runMarkdown } from '../../src/report/markdown/run-comment.ts';
import { documentNote } from '../../src/report/document/note.ts';
import { documentPage } from '../../src/report/document/custom-page.ts';
import { excerptLines } from '../../src/report/blocks/excerpt.ts';
import { documentFacts, runFacts } from '../../src/report/blocks/facts.ts';
import { outcomeTable } from '../../src/report/blocks/outcome.ts';
import { fileColumns, orderColumns } from '../../src/report/blocks/tables.ts';
import { warningsIn } from '../../src/report/blocks/warnings.ts';
import { table } from '../../src/report/page/draw.ts';
import { html } from '../../src/report/page/html.ts';
import { runReport } from '../../src/report/page/page.ts';
import { storyOf } from '../../src/report/story.ts';
import { summaryOf } from '../../src/report/summary.ts';
import { hour } from '../../src/base/clock.ts';
import { moment } from '../../src/report/words.ts';
import { approvedRun, doneRun, doubtRun, stoppedRun, warnedRun } from '../support/entries.ts';

const runs = { stoppedRun, doneRun, doubtRun, approvedRun, warned: () => warnedRun(3) };

/** Only letters and digits: without marks, signs and spaces. */
const bare = (text: string): string =>
  text
    .replace(/<style>[^]*?<\/style>|<!--[^]*?-->|<[^>]*>/g, '')
    .replace(/&[#\w]+;/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The rows of every table, its heading first. */
function tablesOf(markup: string): string[][][] {
  return [...markup.matchAll(/<table[^]*?<\/table>/g)].map(([whole]) =>
    [...whole.matchAll(/<tr>[^]*?<\/tr>/g)].map(([row]) =>
      [...row.matchAll(/<t[hd][^>]*>[^]*?<\/t[hd]>/g)].map(([cell]) => bare(cell)),
    ),
  );
}

function markdownTables(text: string): string[][][] {
  return [...text.matchAll(/(?:^\|.*\|$\n?)+/gm)].map(([whole]) =>
    whole
      .trim()
      .split('\n')
      .filter((row) => !/^[-:| ]+$/.test(row))
      .map((row) => row.slice(2, -2).split(/ \| /).map(bare)),
  );
}

/** Digests are shortened on a page only. */
const withoutDigest = (tables: string[][][]): string[][][] =>
  tables.map((rows) => rows.map((cells) => cells.map((cell) => cell.slice(0, 12))));

test.each(Object.entries(runs))('%s has the same tables on both', (_, entries) => {
  const page = runReport(entries(), { program: 'deskhand 0.1.0' });
  const [on, inComment] = [tablesOf(page), markdownTables(runMarkdown(entries()))];
  const shared = on.filter(([head]) => !head?.includes('Operation')); // the log of requests
  expect(withoutDigest(shared)).toEqual(withoutDigest(inComment));
});

test.each(Object.entries(runs))('%s has the same facts, warnings and excerpt', (_, entries) => {
  const summary = summaryOf(entries());
  const pages = [runReport(entries(), { program: 'deskhand 0.1.0' }), runMarkdown(entries())];
  const words = [
    ...runFacts(summary).map(([name]) => name),
    ...warningsIn(summary).flatMap(([what, why]) => [drawn(what), drawn(why)]),
    ...excerptLines(summary.stop?.excerpt ?? []).map(({ text }) => text),
  ];
  for (const page of pages) for (const word of words) expect(bare(page)).toContain(bare(word));
});

test('a column that is added to a table is drawn by both', () => {
  const summary = summaryOf(doneRun());
  const extra = { name: 'Fee', isNumber: true, cell: () => ({ strong: '0.25' }) } as const;
  const wider = { ...outcomeTable(summary), columns: [...outcomeTable(summary).columns, extra] };
  const block = tableBlock(wider);
  const [head = [], ...rows] = tablesOf(String(html`${table(wider)}`))[0] ?? [];
  expect(head.at(-1)).toBe('Fee');
  expect(block.head).toEqual(['| State | What | Detail | Fee |', '| --- | --- | --- | --: |']);
  for (const row of rows) expect(row.at(-1)).toBe('025');
  for (const row of block.rows) expect(row).toMatch(/ \| \*\*0\.25\*\* \|$/);
});

test('the columns of orders and files are those of their definition', () => {
  const pages = [
    tablesOf(runReport(doneRun(), { program: 'deskhand 0.1.0' })),
    markdownTables(runMarkdown(doneRun())),
  ];
  for (const columns of [orderColumns, fileColumns]) {
    const head = columns.map(({ name }) => bare(name));
    for (const tables of pages) expect(tables.map(([first]) => first)).toContainEqual(head);
  }
});

test('a custom page has the same facts and rows as HTML and as Markdown', () => {
  const rows = [{ uid: 'u1', volume: '41250.5' }];
  const part = {
    kind: 'table',
    title: 'T',
    columns: ['uid', 'volume'],
    rows,
    total: 9,
    files: [],
  } as const;
  const request = { title: 'T', parts: [part] } as const;
  const page = documentPage(request, doneRun(), 'deskhand test');
  const note = documentNote(request, doneRun(), 'out/page.md');
  expect(markdownTables(note)).toEqual(tablesOf(page).slice(0, 1));
  for (const words of ['account', 'started', 'playbook', '8 more rows']) {
    for (const text of [page, note]) expect(bare(text)).toContain(bare(words));
  }
});

test('a page of the run of a saved plan tells when the run started, not when the plan was made', () => {
  const entries = doneRun().map((entry) =>
    entry.kind === 'started' ? { ...entry, time: entry.at - 6 * hour } : entry,
  );
  const [first] = entries;
  expect(documentFacts(storyOf(entries))).toContainEqual([
    'started',
    `${moment(first?.at ?? 0)} UTC`,
  ]);
});
