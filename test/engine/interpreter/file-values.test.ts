/** The files of steps as values of later steps: the same in an unbroken run and in a resumed one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { live, liveOn, openHarness, planOn, playbookFrom } from '../../support/harness.ts';

const playbook = playbookFrom(`playbook: 1
name: values
steps:
  - id: bills
    uses: futures/list-bills
    with: { productType: USDT-FUTURES, startTime: "{{ daysAgo 40 }}" }
    write: { file: "bills-{{ date row.cTime 'yyyy-MM' }}.csv", since: last }
  - id: items
    for-each: [USDT-FUTURES, COIN-FUTURES]
    uses: market/list-tickers
    with: { category: "{{ each.value }}" }
    write: { file: "{{ each.key }}.csv" }
  - { id: page, uses: report/page, with: { file: page.md } }
outputs:
  bills: "{{ steps.bills.files }}"
  last: "{{ steps.bills.file }}"
  items: "{{ steps.items.files }}"
  manifest: "{{ steps.bills.manifest }}"
  item: "{{ steps.items.manifest.COIN-FUTURES.file }}"
  page: "{{ steps.page.file }}"
  pages: "{{ steps.page.files }}"
`);

test('the values name all files, and say what the manifest says', async () => {
  const harness = await openHarness();
  const { outputs } = await live(harness, playbook);
  const last = 'bills-2026-11.csv';
  const { rows, bytes, sha256 } = JSON.parse(
    await readFile(join(harness.workspace, `${last}.manifest.json`), 'utf8'),
  );
  expect(outputs).toEqual({
    bills: ['bills-2026-10.csv', last],
    last,
    items: ['USDT-FUTURES.csv', 'COIN-FUTURES.csv'],
    manifest: { file: `${last}.manifest.json`, rows, bytes, sha256 },
    item: 'COIN-FUTURES.csv.manifest.json',
    page: 'page.md',
    pages: ['page.md'],
  });
});

test('a resumed run has the same values', async () => {
  const unbroken = await openHarness();
  const { outputs } = await live(unbroken, playbook);
  for (let nth = 3; nth <= unbroken.counts.journal; nth += 2) {
    const harness = await openHarness();
    const result = await liveOn(harness, playbook, {
      death: { at: 'journal', nth, when: 'after' },
    });
    expect([nth, result.outputs]).toEqual([nth, outputs]);
  }
});

test('a plan names what is known of them', async () => {
  const plan = await planOn(await openHarness(), playbook);
  expect(
    plan.steps.map(({ file, actions }) => file ?? actions.map((action) => action.file)),
  ).toEqual(['bills-*.csv', ['USDT-FUTURES.csv', 'COIN-FUTURES.csv'], [undefined]]);
});
