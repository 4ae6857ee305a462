/** Pages of parts: an author's Markdown, and values that stay text whatever they hold. */
import { expect, test } from 'vitest';
import type { Prose } from '../../src/engine/export/document-parts.ts';
import { cellOf } from '../../src/report/blocks/cells.ts';
import { markup } from '../../src/report/document/markdown.ts';
import { documentNote } from '../../src/report/document/note.ts';
import { documentPage } from '../../src/report/document/custom-page.ts';
import { doneRun } from '../support/entries.ts';

const shown = (...prose: Prose): string =>
  markup(prose)
    .toString()
    .replace(/\s+/g, ' ')
    .replace(/(?<=<\/?(?:ul|ol|li)[^>]*>) (?=<)/g, '')
    .trim();

test.each([
  ['# A\n## B\n### C', '<h2>A</h2><h2>B</h2><h3>C</h3>'],
  ['*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>'],
  ['- a\n- [x] b', '<ul><li>a</li><li>☑ b</li></ul>'],
  ['3. a', '<ol start="3"><li>a</li></ol>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['[a](https://x.test/b)', '<p><a href="https://x.test/b" rel="noreferrer">a</a></p>'],
  ['[a](javascript:alert(1))', '<p>a</p>'],
  ['![a](https://x.test/b.png)', '<p>a</p>'],
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['a <b onclick="x()">b</b>', '<p>a &lt;b onclick=&quot;x()&quot;&gt;b&lt;/b&gt;</p>'],
])('%j is %s', (text, wanted) => {
  expect(shown(text)).toBe(wanted);
});

const hostile = '</p>\n# <script>alert(1)</script> **b** [c](javascript:1) `d` {{ secrets.X }}';
const harmless =
  '&lt;/p&gt; # &lt;script&gt;alert(1)&lt;/script&gt; **b** [c](javascript:1) &#96;d&#96; {{ secrets.X }}';

test.each([
  ['in a sentence', ['a ', { value: hostile }, ' z'], `<p>a ${harmless} z</p>`],
  ['in bold', ['**', { value: hostile }, '**'], `<p><strong>${harmless}</strong></p>`],
  ['in code', ['`', { value: hostile }, '`'], `<p><code>${harmless}</code></p>`],
  ['in a heading', ['# ', { value: hostile }], `<h2>${harmless}</h2>`],
  ['as an address', ['[a](', { value: 'https://x.test' }, ')'], '<p>a</p>'],
  ['alone', [{ value: hostile }], `<p>${harmless}</p>`],
] as const)('a value %s is text', (_where, prose, wanted) => {
  expect(shown(...prose)).toBe(wanted);
});

const rows = [
  { uid: '700000000200027', note: '<i>x</i> | [y](z)', volume: '41250.5', year: 2026 },
  { uid: '700000000200028', note: '@ops', volume: '-3.125', year: 2026 },
];
const request = {
  title: 'Volume <b>',
  parts: [
    { kind: 'figures', figures: [{ name: 'All', value: '41247.375' }] },
    {
      kind: 'table',
      title: 'By customer',
      columns: ['uid', 'note', 'volume', 'year'],
      rows,
      total: 7,
      files: ['out/a.csv'],
    },
    {
      kind: 'chart',
      chart: { title: 'T', description: 'D', wide: '', narrow: '' },
      file: 'out/c.svg',
    },
    { kind: 'missing', step: 'later' },
  ],
} as const;

test('a page contains its parts and sources, and no scripts', () => {
  const page = documentPage(request, doneRun(), 'deskhand test');
  for (const part of ['41,247.375', '41,250.500', '-3.125', '>2026<', '5 more rows in out/a.csv']) {
    expect(page).toContain(part);
  }
  expect(page).toContain('&lt;i&gt;x&lt;/i&gt; | [y](z)');
  expect(page).toContain('>700000000200027<');
  expect(page).toContain('later was not done');
  expect(page).toContain('default-src &#39;none&#39;');
  expect(page).toContain('Sources');
  expect(page).not.toMatch(/<script|<i>x|<b>&|onload/);
  expect(documentPage(request, doneRun(), 'deskhand test')).toBe(page);
});

test.each([
  ['41250.5', '41,250.5'],
  ['12345', '12,345'],
  ['2026', '2026'], // a year
  ['1001', '1001'], // a product
  ['1001.5', '1,001.5'],
  ['700000000200027', '700000000200027'], // a customer
  ['0x10', '0x10'],
])('the figure %s is read as %s', (value, shownAs) => {
  expect(cellOf(value)).toBe(shownAs);
});

test('a table too long for a comment says once how many rows are omitted', () => {
  const many = Array.from({ length: 1_000 }, (_, uid) => ({
    uid: `u${uid}`,
    note: 'x'.repeat(90),
  }));
  const table = { ...request.parts[1], columns: ['uid', 'note'], rows: many, total: 1_200 };
  const note = documentNote({ title: 'T', parts: [table] }, doneRun(), 'out/page.md');
  expect(note.length).toBeLessThan(60_000);
  const shown = note.match(/^\| u\d+ /gm)?.length ?? 0;
  expect(note.match(/(\d+) more rows/g)).toEqual([`${1_200 - shown} more rows`]);
});

test('the same as Markdown for a pull request', () => {
  const note = documentNote(request, doneRun(), 'out/sub/page.md');
  expect(note).toContain('### Volume &lt;b&gt;');
  expect(note).toContain(
    '| 700000000200027 | &lt;i&gt;x&lt;/i&gt; \\| \\[y\\](z) | 41,250.500 | 2026 |',
  );
  expect(note).toContain('![T](../c.svg)');
  expect(note).toContain('… 5 more rows in out/a.csv');
  expect(note).not.toContain('@ops');
});
