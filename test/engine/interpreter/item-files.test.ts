/** Files of a for-each: one for each item, complete after a crash anywhere, and never two in one. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyFile } from '../../../src/engine/export/verify.ts';
import { UnfitError } from '../../../src/engine/plan/problems.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  planOn,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';

const start = (names: string) => `
playbook: 1
name: files
account: main
inputs: { names: { type: map, items: { type: string }, default: ${names} } }
steps:
  - id: month
    for-each: "{{ inputs.names }}"
    uses: order/list-history
    with: { startTime: "{{ daysAgo 7 }}" }
    write: { file: "out/{{ each.value }}.csv" }
  - id: table
    for-each: "{{ inputs.names }}"
    uses: report/table
    with: { from: month }
    write: { file: "out/{{ each.value }}-table.csv" }
`;

/** @param names the names of the files, by key */
const files = (names: string) => `${start(names)}
  - id: chart
    for-each: "{{ inputs.names }}"
    uses: report/chart
    with:
      from: table
      file: "out/{{ each.value }}.svg"
      spec: { mark: bar, encoding: { x: { field: key }, y: { aggregate: count } } }
  - id: page
    for-each: "{{ inputs.names }}"
    uses: report/page
    with: { file: "out/{{ each.value }}.md" }
outputs:
  months: "{{ steps.month.file }}"
  tables: "{{ steps.table.rows }}"
`;

const written = async ({ workspace }: Harness): Promise<readonly string[]> =>
  (await readdir(join(workspace, 'out'))).sort();

const requestsOf = (harness: Harness): readonly string[] =>
  entriesOf(harness).flatMap((entry) => (entry.kind === 'answered' ? [entry.address] : []));

const rowFiles = ['a', 'b'].flatMap((name) =>
  [`${name}.csv`, `${name}-table.csv`].flatMap((file) => [file, `${file}.manifest.json`]),
);

const documents = ['a.md', 'b.md', 'a.svg', 'b.svg'];

test('a plan shows the file of every item, and a run writes it', async () => {
  const harness = await openHarness();
  const playbook = playbookFrom(files('{ x: a, y: b }'));
  const plan = await planOn(harness, playbook);
  const shown = plan.steps.map(({ id, file, actions }) => [
    id,
    file,
    ...actions.map((action) => action.file ?? Object(action.input).file),
  ]);
  expect(shown).toEqual([
    ['month', undefined, 'out/a.csv', 'out/b.csv'],
    ['table', undefined, 'out/a-table.csv', 'out/b-table.csv'],
    ['chart', undefined, 'out/a.svg', 'out/b.svg'],
    ['page', undefined, 'out/a.md', 'out/b.md'],
  ]);
  const { status, outputs } = await live(harness, playbook);
  expect([status, outputs]).toEqual([
    'done',
    { months: { x: 'out/a.csv', y: 'out/b.csv' }, tables: { x: 14, y: 14 } },
  ]);
  expect(await written(harness)).toEqual([...rowFiles, ...documents].sort());
});

test('after a crash anywhere, every item has its file with its manifest', async () => {
  const playbook = playbookFrom(start('{ x: a, y: b }'));
  const counted = await openHarness();
  await live(counted, playbook);
  for (let nth = 1; nth <= counted.counts.journal; nth += 1) {
    for (const when of ['before', 'after'] as const) {
      const harness = await openHarness();
      const { status } = await liveOn(harness, playbook, { death: { at: 'journal', nth, when } });
      expect([nth, when, status]).toEqual([nth, when, 'done']);
      expect(await written(harness)).toEqual([...rowFiles].sort());
      for (const name of ['a.csv', 'b.csv', 'a-table.csv', 'b-table.csv']) {
        const { kind } = await verifyFile(join(harness.workspace, 'out', name));
        expect([nth, when, name, kind]).toEqual([nth, when, name, 'whole']);
      }
    }
  }
});

describe('before anything is sent', () => {
  const refused = async (text: string): Promise<readonly string[]> => {
    const harness = await openHarness();
    const problems = await planOn(harness, playbookFrom(text)).then(
      () => [],
      (error: unknown) => {
        if (!(error instanceof UnfitError)) throw error;
        return error.problems;
      },
    );
    return problems.map(({ code, at, message }) => `${code}@${at.start.line} ${message}`);
  };

  test('two items with one file are refused, and both are named', async () => {
    expect(await refused(files('{ x: a, y: A }'))).toEqual([
      'PB404@11 month[y]: month[x] writes the same file, out/a.csv',
      'PB404@16 table[y]: table[x] writes the same file, out/a-table.csv',
      'PB404@23 chart[y]: chart[x] writes the same file, out/a.svg',
      'PB404@28 page[y]: page[x] writes the same file, out/a.md',
    ]);
  });

  test('a name that leaves the workspace, or is no file of rows, is refused', async () => {
    const paths = await refused(files('{ x: ../up, y: a b }'));
    expect(paths.slice(0, 1)).toEqual([
      'PB407@11 month[x]: out/../up.csv cannot be written: it has ".." in its path; the same applies to 1 other item',
    ]);
    const ending = `
playbook: 1
name: ending
account: main
steps:
  - id: month
    for-each: [csv, exe]
    uses: order/list-history
    with: { startTime: "{{ daysAgo 7 }}" }
    write: { file: "out/month.{{ each.value }}" }
`;
    expect(await refused(ending)).toEqual(['PB407@10 month[exe]: .exe is not a format of rows']);
  });

  test('items that only the run knows are refused before the first of them', async () => {
    const harness = await openHarness();
    const playbook = playbookFrom(`
playbook: 1
name: later
account: main
steps:
  - uses: wait
    with: { for: 0s }
  - id: tickers
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
  - id: month
    for-each: "{{ pluck steps.tickers.response 'symbol' }}"
    uses: order/list-history
    with: { startTime: "{{ daysAgo 7 }}" }
    write: { file: "out/{{ last (split each.value 'U') }}.csv" }
`);
    const { status } = await live(harness, playbook);
    const closed = entriesOf(harness).find(
      (entry) => entry.kind === 'closed' && entry.step === 'month',
    );
    expect([status, closed]).toMatchObject([
      'stopped',
      {
        status: 'failed',
        because: 'month[ETHUSDT]: month[BTCUSDT] writes the same file, out/SDT.csv',
      },
    ]);
    expect(requestsOf(harness)).toEqual(['tickers']);
  });
});

test('rows of a for-each without items are an empty file map, as in the plan', async () => {
  const harness = await openHarness();
  const { status, outputs } = await live(harness, playbookFrom(files('{}')));
  expect([status, outputs]).toEqual(['done', { months: {}, tables: {} }]);
});
