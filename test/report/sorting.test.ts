/** Tables that readers sort: ranks of values, and a page on which one script runs and no other can. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { TablePart } from '../../src/engine/export/document-parts.ts';
import { ranksOf } from '../../src/report/blocks/ranks.ts';
import { documentPage } from '../../src/report/document/custom-page.ts';
import { documentNote } from '../../src/report/document/note.ts';
import { plainPage } from '../../src/report/page/plain.ts';
import { doneRun } from '../support/entries.ts';

const inOrder = (...values: readonly (string | number | null)[]): unknown[] => {
  const rows = values.map((value) => ({ value }));
  const ranks = ranksOf(rows, 'value');
  return [...ranks].map(([{ value }, rank]) => [value, rank]);
};

test.each([
  ['numbers by value', ['10', '9', '-3', '9.0'], ['-3 0', '9 1', '9.0 1', '10 2']],
  [
    'numbers that a double does not distinguish',
    ['9007199254740993', '9007199254740992', '0.10000000000000000001', '0.1'],
    ['0.1 0', '0.10000000000000000001 1', '9007199254740992 2', '9007199254740993 3'],
  ],
  [
    'times by moment, whatever their zone',
    ['2026-01-31T08:00:00+08:00', '2026-01-30', '2026-01-31T00:00:01Z'],
    ['2026-01-30 0', '2026-01-31T08:00:00+08:00 1', '2026-01-31T00:00:01Z 2'],
  ],
  ['texts without regard to case', ['b', 'B', 'a', 'C'], ['a 0', 'B 1', 'b 2', 'C 3']],
  ['a column with one text as text', ['10', '9', 'x'], ['10 0', '9 1', 'x 2']],
  ['no rank without a value', ['', '2', null, '1'], ['1 0', '2 1']],
])('%s', (_what, values, wanted) => {
  expect(inOrder(...values).map((pair) => [pair].flat().join(' '))).toEqual(wanted);
});

const hostile = '</script><script>alert(1)</script><td data-rank="0">';
const part: TablePart = {
  kind: 'table',
  title: hostile,
  columns: ['uid', hostile, 'volume'],
  rows: [
    { uid: 'b', [hostile]: hostile, volume: '1000.5' },
    { uid: 'a', [hostile]: '', volume: '20' },
  ],
  total: 7,
  files: ['out/a.csv'],
};
const pageOf = (...parts: readonly TablePart[]): string =>
  documentPage({ title: hostile, parts }, doneRun(), 'deskhand test');

test('a page with a sortable table has one script, the only one that its policy allows', () => {
  const page = pageOf({ ...part, sortable: true }, part, { ...part, sortable: true });
  const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text);
  expect(scripts).toHaveLength(1);
  expect(page.match(/<\/?script/g)).toHaveLength(2);
  const digest = createHash('sha256').update(scripts.join('')).digest('base64');
  const policy = /content="(default-src[^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'");
  expect(policy).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src 'sha256-${digest}'`,
  );
  expect(page.match(/class="cards sortable"/g)).toHaveLength(2);
  expect(page.match(/data-label="volume" data-rank="\d"/g)).toEqual([
    'data-label="volume" data-rank="1"',
    'data-label="volume" data-rank="0"',
    'data-label="volume" data-rank="1"',
    'data-label="volume" data-rank="0"',
  ]);
  expect(page).toContain('5 more rows in out/a.csv. Sorting orders the rows that are shown.');
});

test('without one it has none, and neither has its text or its Markdown', () => {
  const page = pageOf(part);
  expect(page).not.toMatch(/<script|script-src|data-rank="\d|sortable"/);
  const sortable = { ...part, sortable: true };
  expect(plainPage(pageOf(sortable))).toBe(
    plainPage(page).replaceAll(
      'out/a.csv\n',
      'out/a.csv. Sorting orders the rows that are shown.\n',
    ),
  );
  const note = (each: TablePart): string =>
    documentNote({ title: 'T', parts: [each] }, doneRun(), 'out/page.md');
  expect(note(sortable)).toBe(note(part));
});
