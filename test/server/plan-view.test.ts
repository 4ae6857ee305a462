/** The page of a plan shows what blocks its run, as the plan does in a terminal and in a comment. */
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { planViewOf } from '../../src/server/approvals/plan-view.ts';
import { openDesk } from '../../src/server/desk.ts';
import { openHarness, playbookFrom } from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';
import { reviewedOn } from '../support/reviewed.ts';

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
  const stateDir = tmpdir();
  const config = {
    stateDir,
    state: { store: 'local' },
    profiles: new Map(),
    initial: 'x',
  } as const;
  const desk = openDesk({ name: 'desk', folder: stateDir, config });
  const unsigned = { version: 1, record: '', challenge: '', passkeys: [], required: [] } as const;
  const { notes } = planViewOf(desk, { ...unsigned, plan });
  expect(notes).toEqual([
    expect.stringMatching(/^run r-before of .* did not end: .*places 1 of them a second time/),
    'in doubt: bid',
    expect.stringContaining('in doubt: enter of run r-other (playbook hedge) on main'),
  ]);
});
