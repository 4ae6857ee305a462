/** Pages as steps of a run: made of what other steps brought, and honest about what is missing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { live, openDesk, playbookFrom } from '../support/desk.ts';

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

test('a page shows what its steps brought, in both forms', async () => {
  const desk = await openDesk();
  const text = withPages(
    `  - id: page\n    uses: report/page\n    ${parts('out/a.html')}  - id: note\n    uses: report/page\n    ${parts('out/a.md')}`,
  );
  expect((await live(desk, playbookFrom(text))).status).toBe('done');
  const page = readFileSync(join(desk.workspace, 'out/a.html'), 'utf8');
  const note = readFileSync(join(desk.workspace, 'out/a.md'), 'utf8');
  for (const made of [page, note]) {
    expect(made).toContain('Prices of 2026-11-20');
    expect(made).toContain('BTCUSDT');
    expect(made).toMatch(/more rows?/);
  }
  expect(page.match(/<svg role="img" aria-label="Prices"/g)).toHaveLength(2);
  expect(page).toMatch(/<strong>now<\/strong>/);
});

const listing = (file: string, more = ''): string => `  - id: page
    uses: report/page
    with:
      file: ${file}
      parts:
        - each: top
          rows: 2
          text: "- **{{ row.symbol }}** at {{ row.price }}"
        ${more}
`;

test('a text stands once for each row, in both forms; values are never read as Markdown', async () => {
  const desk = await openDesk();
  const text = withPages(
    listing('out/a.html') + listing('out/a.md').replace('id: page', 'id: note'),
  ).replace('symbol: "{{ row.symbol }}"', 'symbol: "<b>{{ row.symbol }}*_"');
  expect((await live(desk, playbookFrom(text))).status).toBe('done');
  const page = readFileSync(join(desk.workspace, 'out/a.html'), 'utf8');
  const note = readFileSync(join(desk.workspace, 'out/a.md'), 'utf8');
  expect(
    page.match(/<li>\s*<strong>&lt;b&gt;BTC[A-Z]+\*_<\/strong> at [\d.]+\s*<\/li>/g),
  ).toHaveLength(1);
  expect(page.match(/<li>/g)?.length).toBeGreaterThan(1);
  expect(page).toMatch(/… \d+ more rows/);
  expect(note).toMatch(/^- \*\*&lt;b&gt;BTC[A-Z]+\\\*\\_\*\* at [\d.]+$/m);
  expect(note).toMatch(/… \d+ more rows/);
});

test.each([
  ['each: top, text: "{{ row.nowhere }}"', 'row has no "nowhere"'],
  ['each: nowhere, text: "x"', 'there is no step "nowhere"'],
  ['each: drawn, text: "x"', 'drawn draws a chart and brings no rows'],
  ['each: top, chart: drawn', 'each is for a text'],
  ['text: "{{ row.symbol }}"', 'row is not visible here'],
])('%s is told by validate', (part, because) => {
  const text = withPages(listing('out/a.html', `- { ${part} }`));
  expect(() => playbookFrom(text)).toThrow(because);
});

test('a page of finally says what was not done', async () => {
  const desk = await openDesk();
  const own = parts('out/a.html').replace(/ {8}- (text|figures).*\n/g, '');
  const text = `${withPages('')}finally:\n  - uses: report/page\n    ${own}`.replace(
    'category: USDT-FUTURES }',
    'category: USDT-FUTURES }\n    expect: [{ that: "{{ eq (length response) 0 }}" }]',
  );
  expect((await live(desk, playbookFrom(text))).status).toBe('stopped');
  const page = readFileSync(join(desk.workspace, 'out/a.html'), 'utf8');
  expect(page).toContain('drawn was not done');
  expect(page).toContain('top was not done');
});

test('the report of a run knows that it is written, also as Markdown', async () => {
  const desk = await openDesk();
  const text = `${withPages('  - { id: page, uses: report/page, with: { file: out/run.html } }\n')}finally:
  - { uses: report/page, with: { file: out/run.md } }
`;
  await live(desk, playbookFrom(text));
  const page = readFileSync(join(desk.workspace, 'out/run.html'), 'utf8');
  expect(page).toContain('All 4 steps are done');
  expect(page).toContain('aria-label="Prices"');
  expect(readFileSync(join(desk.workspace, 'out/run.md'), 'utf8')).toContain('2 pages written');
});
