/** The page of a plan shows what blocks its run, as the plan does in a terminal and in a comment. */
import { expect, test } from 'vitest';
import { openHarness, playbookFrom } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';
import { pageOf } from '../../support/plan-page.ts';
import { reviewedOn } from '../../support/reviewed.ts';

test('an unfinished run, and a doubt of another playbook, are among the notes of a plan', async () => {
  const playbook = playbookFrom(`playbook: 1
name: bid
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '20000.0' })}
`);
  const made = await reviewedOn(await openHarness(), playbook);
  const left = { run: 'r-before', startedAt: 0, sent: 2, inDoubt: 1, again: 1, doubts: ['bid'] };
  const writes = [
    {
      run: 'r-other',
      playbook: 'hedge',
      profile: 'main',
      address: 'enter',
      operation: 'futures/place-order',
      signedAt: 0,
      input: { symbol: 'BTCUSDT', side: 'buy', size: '1', orderType: 'market' },
    },
  ] as const;
  const plan = { ...made, unfinished: [left], doubts: { writes, isBlocking: true } };
  const { notes } = pageOf(plan);
  expect(notes).toEqual([
    expect.stringMatching(/^run r-before of .* did not end: .*places 1 of them a second time/),
    'in doubt: bid',
    expect.stringContaining('in doubt: enter of run r-other (playbook hedge) on main'),
  ]);
});

test('the lines of a plan are pages of 1,000, so that each is behind a link', async () => {
  const playbook = playbookFrom(`playbook: 1
name: bids
guards: { max-writes: 1100 }
steps:
  - id: bids
    for-each: "{{ range 60001 61100 }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`);
  const plan = await reviewedOn(await openHarness(), playbook);
  const [first, second] = [pageOf(plan), pageOf(plan, 2)];
  expect([first.lines.length, first.left, first.page, first.pages]).toEqual([1_000, 100, 1, 2]);
  expect([second.lines.length, second.left, second.page]).toEqual([100, 0, 2]);
  const all = [...first.lines, ...second.lines].map(({ text }) => text);
  expect(new Set(all).size).toBe(1_100);
  expect(pageOf(plan, 99)).toEqual(second);
});
