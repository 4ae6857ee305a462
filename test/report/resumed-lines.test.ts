/** Lines of a resumed run: an item is what its entries say, in a nested playbook too. */
import { expect, test } from 'vitest';
import { statusReader } from '../../src/report/terminal/status.ts';
import { orderInput, started } from '../support/desk-setup.ts';
import { tape } from '../support/tape.ts';

test.each(['ladder', 'desks[a]/ladder'])('an order of %s that a resume finds is placed', (step) => {
  const address = `${step}[x]`;
  const input = { ...orderInput('61500.0'), clientOid: 'x' };
  const intent = { address, operation: 'futures/place-order', input } as const;
  const opened = { kind: 'opened', step, uses: 'futures/place-order', items: ['x'] } as const;
  const output = { orderId: '1', clientOid: 'x' };
  const { entries } = tape()
    .add(started('r-1'), opened)
    .add({ kind: 'intended', ...intent, identity: '', attempt: 1, signedAt: 0 })
    .add({ kind: 'resumed' }, opened)
    .add({ kind: 'settled', address, outcome: { kind: 'done', output, evidence: 'looked-up' } });
  const statuses = statusReader();
  for (const entry of entries) statuses.add(entry);
  expect(statuses.item(address)).toMatchObject({ state: 'done', detail: 'placed' });
});
