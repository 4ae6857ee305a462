/** Which clientOids a journal knows. */
import { expect, test } from 'vitest';
import { namesIn } from '../../../src/engine/journal/writes.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';

const settled = (evidence: 'answered' | 'looked-up' | 'from-ledger', clientOid: string): Entry => ({
  kind: 'settled',
  seq: 1,
  at: 0,
  address: 'order',
  outcome: { kind: 'done', output: { orderId: '1', clientOid }, evidence },
});

test('an order that a run found is known to it without an intent; the response to a read is not', () => {
  expect(
    namesIn([settled('looked-up', 'a'), settled('from-ledger', 'b'), settled('answered', 'c')]),
  ).toEqual(['a', 'b']);
});
