/** Pages as steps of a run: built from other steps, and explicit about what is missing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entriesOf, live, openHarness, playbookFrom } from '../../support/harness.ts';

const parts = (file: string): string => `with:
      file: ${file}
      title: "Prices of {{ date run.time 'yyyy-MM-dd' }}"
      parts:
        - text: "{{ length steps.tickers.response }} symbols, **now**"
        - figures: { Symbols: "{{ length steps.tickers.response }}" }
        - chart: drawn
        - { table: top, title: Largest, columns: [symbol, price], rows: 2 }
`;

const playbook = `playbook: 1
name: pages
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
  - id: top
    uses: report/table
    with:
      from: tickers
      columns: { symbol: "{{ row.symbol }}", price: "{{ row.lastPrice }}" }
      sort: [-price]
  - id: drawn
    uses: report/chart
    with:
      from: top
      title: Prices
      spec: { mark: bar, encoding: { x: { field: symbol }, y: { field: price, type: quantitative } } }
`;

const withPages = (own: string): string => playbook + own;

test('a page shows the results of its steps, in both forms', async () => {
  const harness = await openHarness();
  const text = withPages(
    `  - id: page\n    uses: report/page\n    ${parts('out/a.html')}  - id: note\n    uses: report/page\n    ${parts('out/a.md')}`,
  );
  expect((await live(harness, playbookFrom(text))).status).toBe('done');
  const page = readFileSync(join(harness.workspace, 'out/a.html'), 'utf8');
  const note = readFileSync(join(harness.workspace, 'out/a.md'), 'utf8');
  for (const made of [page, note]) {
    expect(made).toContain('Prices of 2026-11-20');
    expect(made).toContain('BTCUSDT');
    expect(made).toMatch(/more rows?/);
  }
  expect(page.match(/<svg role="img" aria-label="Prices"/g)).toHaveLength(2);
  expect(page).toMatch(/<strong>now<\/strong>/);
});

test('a later run replaces its page, in both forms', async () => {
  const harness = await openHarness();
  const text = withPages(
    `  - id: page\n    uses: report/page\n    ${parts('out/a.html')}  - id: note\n    uses: report/page\n    ${parts('out/a.md')}`,
  );
  for (const runId of ['r-first', 'r-second']) {
    harness.disk = '';
    expect((await live(harness, playbookFrom(text), { runId })).status).toBe('done');
  }
  expect(readFileSync(join(harness.workspace, 'out/a.md'), 'utf8')).toContain('r-second');
});

const withText = (file: string, text: string, more = ''): string => `  - id: page
    uses: report/page
    with:
      file: ${file}
      parts:
        - rows: 2
          text: |
            ${text.replaceAll('\n', '\n            ')}
        ${more}
`;

async function noteOf(text: string): Promise<string> {
  const harness = await openHarness();
  expect((await live(harness, playbookFrom(withPages(withText('out/a.md', text))))).status).toBe(
    'done',
  );
  const note = readFileSync(join(harness.workspace, 'out/a.md'), 'utf8');
  return note.split('\n\n').slice(2).join('\n\n').trim(); // after the title and the facts
}

const listing = `{{#each steps.top.rows}}
- **{{ this.symbol }}** at {{ this.price }}
{{else}}
Nothing.
{{/each}}`;

test('each repeats its body for each row, in both forms; values are never read as Markdown', async () => {
  const harness = await openHarness();
  const text = withPages(
    withText('out/a.html', listing) + withText('out/a.md', listing).replace('id: page', 'id: note'),
  ).replace(
    'symbol: "{{ row.symbol }}"',
    'symbol: "<b>{{ row.symbol }}*_{{ \'{{this.price}}\' }}"',
  );
  expect((await live(harness, playbookFrom(text))).status).toBe('done');
  const page = readFileSync(join(harness.workspace, 'out/a.html'), 'utf8');
  const note = readFileSync(join(harness.workspace, 'out/a.md'), 'utf8');
  expect(
    page.match(/<li>\s*<strong>&lt;b&gt;BTC[A-Z]+\*_{{this\.price}}<\/strong> at [\d.]+\s*<\/li>/g),
  ).toHaveLength(1);
  expect(page.match(/<li>\s*<strong>/g)).toHaveLength(2);
  expect(page).toMatch(/… \d+ more rows/);
  expect(note).toMatch(/^- \*\*&lt;b&gt;BTC[A-Z]+\\\*\\_.*\*\* at [\d.]+\n- \*\*/m);
  expect(note).toMatch(/\n\n… \d+ more rows/);
});

test.each([
  [
    "{{#each (split 'a,b' ',')}}{{@index}}{{this}}{{#if @last}}.{{else}}, {{/if}}{{/each}}",
    '0a, 1b.',
  ],
  ["{{#each (split 'a,b' ',')}}{{#unless @first}}+{{/unless}}{{upper this}}{{/each}}", 'A+B'],
  ["{{#each (split 'a' ',')}}{{#each (split 'x,y' ',')}}{{this}}{{/each}}{{this}}{{/each}}", 'xya'],
  ["{{#each (split 'a,b,c' ',')}}{{this}}{{/each}}", 'ab\n… 1 more member'],
  ['{{#each (range 1 0)}}x{{else}}none{{/each}}', 'none'],
  [
    '{{#if (gt steps.tickers.response.0.lastPrice 0)}}dear{{else if (eq run.id 1)}}b{{else}}c{{/if}}',
    'dear',
  ],
  [
    '{{#if (lt (length steps.top.response.rows) 1)}}a{{else if (gt (length steps.top.response.rows) 1)}}b{{/if}}',
    'b',
  ],
])('%s is %s', async (text, made) => {
  expect(await noteOf(text)).toBe(made);
});

test.each([
  ['{{#each steps.top.rows}}{{ this.nowhere }}{{/each}}', 'this has no "nowhere"'],
  ['{{#each steps.top.rows}}x{{else}}{{ this.symbol }}{{/each}}', 'this is not available here'],
  ['{{#each steps.nowhere.rows}}x{{/each}}', 'unknown step "nowhere"'],
  ['{{#each steps.drawn.rows}}x{{/each}}', 'drawn draws a chart and has no rows'],
  ['{{#each run.id}}x{{/each}}', 'each expects a list or a map, found text'],
  ['{{#each}}x{{/each}}', 'each takes one value'],
  ['{{#each steps.top.rows as |row|}}x{{/each}}', 'each takes one value'],
  ['{{#if run.id}}x{{/if}}', '#if must be true or false; this is text'],
  ['{{#if true}}{{ plus 1 2 }}{{/if}}', 'unknown helper "plus"'],
  ['{{#ech steps.top.rows}}x{{/ech}}', 'unknown block "ech"'],
  ['{{#constructor run.id}}x{{/constructor}}', 'unknown block "constructor"'],
  ['{{#each steps.top.rows}}{{ this.constructor }}{{/each}}', 'this.constructor is not allowed'],
  ['{{#each steps.top.rows}}{{{ this.symbol }}}{{/each}}', '{{{ }}} is not allowed'],
  ['{{#each steps.top.rows}}{{ ../run.id }}{{/each}}', '../ is not allowed'],
  ['{{#each steps.top.rows}}{{ @root.run }}{{/each}}', '@root.run is not allowed'],
  ['{{#each steps.top.rows}}{{> part }}{{/each}}', 'a partial is not allowed'],
  ['{{^if true}}x{{/if}}', 'this kind of block is not allowed'],
  ['{{{{if true}}}}x{{{{/if}}}}', 'this kind of block is not allowed'],
  [`${'{{#if true}}'.repeat(9)}x${'{{/if}}'.repeat(9)}`, 'blocks are nested deeper than 8'],
  ['{{ this.symbol }}', 'this is not available here'],
  ['{{ row.symbol }}', 'row is not available here'],
])('%s is reported by validate', (text, because) => {
  const run = () => playbookFrom(withPages(withText('out/a.html', text)));
  expect(run).toThrow(because);
});

test('blocks are allowed nowhere else on a page', () => {
  for (const part of [
    'figures: { text: "{{#if true}}x{{/if}}" }',
    'table: top, title: "{{#if true}}x{{/if}}"',
  ]) {
    const text = withPages(withText('out/a.html', 'x', `- { ${part} }`));
    expect(() => playbookFrom(text)).toThrow('a block is not allowed in a template');
  }
});

test('a text with too many iterations stops the run', async () => {
  const harness = await openHarness();
  const rounds = '{{#each (range 1 101)}}{{#each (range 1 100)}}{{/each}}{{/each}}';
  const text = withPages(withText('out/a.html', rounds).replace('rows: 2', 'rows: 1000'));
  expect((await live(harness, playbookFrom(text))).status).toBe('stopped');
  expect(JSON.stringify(entriesOf(harness))).toContain('more than 10000 iterations of each');
});

test('a page in finally names the steps that were not done', async () => {
  const harness = await openHarness();
  const own = `${parts('out/a.html').replace(/ {8}- (text|figures).*\n/g, '')}        - text: "{{#each steps.top.rows}}x{{/each}}"\n`;
  const text = `${withPages('')}finally:\n  - uses: report/page\n    ${own}`.replace(
    'category: USDT-FUTURES }',
    'category: USDT-FUTURES }\n    expect: [{ that: "{{ eq (length response) 0 }}" }]',
  );
  expect((await live(harness, playbookFrom(text))).status).toBe('stopped');
  const page = readFileSync(join(harness.workspace, 'out/a.html'), 'utf8');
  expect(page).toContain('drawn was not done');
  expect(page).toContain('top was not done');
  expect(page).toContain('top was not done: its rows are missing here');
});

test('the report of a run mentions itself, also as Markdown', async () => {
  const harness = await openHarness();
  const text = `${withPages('  - { id: page, uses: report/page, with: { file: out/run.html } }\n')}finally:
  - { uses: report/page, with: { file: out/run.md } }
`;
  await live(harness, playbookFrom(text));
  const page = readFileSync(join(harness.workspace, 'out/run.html'), 'utf8');
  expect(page).toContain('All 4 steps are done');
  expect(page).toContain('aria-label="Prices"');
  expect(readFileSync(join(harness.workspace, 'out/run.md'), 'utf8')).toMatch(
    /2 pages written\W+out\/run\.html, out\/run\.md/,
  );
});

const beside = (fields: string): string =>
  withPages(
    `  - id: page\n    uses: report/page\n    with: { file: out/a.html, parts: [{ chart: drawn, width: half }, { table: top, width: half, rows: 3, ${fields} }, { chart: drawn, width: third }] }\n`,
  );

test('parts of a page share a row, and numbers have the format of their column', async () => {
  const harness = await openHarness();
  const text = beside('formats: { price: "0.000 USDT" }');
  expect((await live(harness, playbookFrom(text))).status).toBe('done');
  const page = readFileSync(join(harness.workspace, 'out/a.html'), 'utf8');
  expect(page.match(/<div class="beside \w+">/g)).toEqual([
    '<div class="beside half">',
    '<div class="beside third">',
  ]);
  expect(page).toMatch(/<td class="n" data-label="price">\d{2},\d{3}\.\d{3} USDT<\/td>/);
});

test.each([
  ['formats: { prise: "0.00" }', 'unknown column "prise"'],
  ['formats: { symbol: "0.00" }', 'symbol is not a number: found text'],
  ['formats: { price: "#,##0" }', '"#,##0" is not a format of a number'],
  ['formats: { price: "{{ run.id }}" }', 'this is read before the run'],
  ['sortable: "yes"', 'sortable must be boolean'],
  ['sortable: "{{ eq 1 1 }}"', 'sortable'],
])('validate refuses %s', (fields, message) => {
  expect(() => playbookFrom(beside(fields))).toThrow(message);
});

test('a table that is sortable has the rank of each value', async () => {
  const harness = await openHarness();
  expect((await live(harness, playbookFrom(beside('sortable: true')))).status).toBe('done');
  const page = readFileSync(join(harness.workspace, 'out/a.html'), 'utf8');
  expect(page.match(/data-label="price" data-rank="(\d)"/g)).toHaveLength(3);
  expect(() =>
    playbookFrom(beside('sortable: true').replace('width: third', 'sortable: true')),
  ).toThrow('sortable is for a table');
});

test('validate refuses a width that is not one, or of a text', () => {
  const page = (part: string): string =>
    withPages(`  - { id: page, uses: report/page, with: { file: a.html, parts: [${part}] } }\n`);
  expect(() => playbookFrom(page('{ text: a, width: half }'))).toThrow('width is for a chart');
  expect(() => playbookFrom(page('{ chart: drawn, width: quarter }'))).toThrow(/width must be/);
});
