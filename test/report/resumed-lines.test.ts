/** Lines of a resumed run: an item is what its entries say, in a nested playbook too, and takes the time that the report says. */
import { expect, test } from 'vitest';
import { statusReader } from '../../src/report/terminal/status.ts';
import { summaryOf } from '../../src/report/summary.ts';
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

test('the time between two attempts counts for no item, in its line as in the report', () => {
  const step = 'ladder';
  const address = `${step}[x]`;
  const operation = 'futures/place-order';
  const input = { ...orderInput('61500.0'), clientOid: 'x' };
  const opened = { kind: 'opened', step, uses: operation, items: ['x'] } as const;
  const output = { orderId: '1', clientOid: 'x' };
  const { entries } = tape()
    .add(started('r-1'), opened)
    .wait(20)
    .add({ kind: 'waited', address, operation, ms: 60, why: 'limit' })
    .wait(32_000) // its process was killed
    .add({ kind: 'resumed' })
    .wait(5)
    .add(opened)
    .wait(10)
    .send({ address, operation, input, outcome: { kind: 'done', output, evidence: 'answered' } });
  const statuses = statusReader();
  for (const entry of entries) statuses.add(entry);
  const [reported] = summaryOf(entries).steps.find(({ id }) => id === step)?.items ?? [];
  expect(reported?.ms).toBeLessThan(1_000);
  expect(statuses.item(address)?.ms).toBe(reported?.ms);
});

test('a wait that a kill cut short is not the longest, and none is longer than its run', () => {
  const address = 'ladder[x]';
  const operation = 'futures/place-order';
  const opened = { kind: 'opened', step: 'ladder', uses: operation, items: ['x'] } as const;
  const waited = { kind: 'waited', address, operation, why: 'limit' } as const;
  const { entries } = tape()
    .add(started('r-1'), opened)
    .add({ ...waited, ms: 60_000 })
    .wait(5_000) // its process was killed
    .add({ kind: 'resumed' }, opened)
    .add({ ...waited, ms: 300 })
    .wait(300)
    .add({ kind: 'finished', status: 'done', exit: 0, outputs: {} });
  expect(summaryOf(entries).longestWait?.ms).toBe(300);
});
