/** What is kept of a journal for other runs tells them what the whole journal does. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, Event, Outcome } from '../../../src/engine/journal/entry.ts';
import { essential } from '../../../src/engine/journal/essential.ts';
import { clientOidOf, identityOf } from '../../../src/engine/journal/identity.ts';
import { ledgerFrom, playbookKey } from '../../../src/engine/journal/ledger.ts';
import { placedOrders } from '../../../src/engine/journal/placed-orders.ts';
import { isLasting } from '../../../src/engine/journal/stamp.ts';
import { started } from '../../support/desk-setup.ts';

const account = { profile: 'main', target: 'sandbox', host: 'here', keyFingerprint: 'k' } as const;
const finished: Event = { kind: 'finished', status: 'done', exit: 0, outputs: { a: 1 } };
const operation = 'futures/place-order';

function intentOf(run: string, key: string, scope: 'run' | 'playbook', attempt = 1): Event {
  const address = `ladder[${key}]`;
  const content = { symbol: 'BTCUSDT', size: key };
  const identity =
    scope === 'run'
      ? identityOf({ per: 'run', run }, address, null)
      : playbookKey(account, { playbook: 'desk-setup', address, operation, content });
  const input = { ...content, clientOid: clientOidOf(identity) };
  return { kind: 'intended', address, operation, input, identity, attempt, signedAt: 10 * attempt };
}

function settled(key: string, kind: 'done' | 'refused' | 'doubt' | 'absent'): Event {
  const outcomes: Record<typeof kind, Outcome> = {
    done: { kind: 'done', output: { orderId: key }, evidence: 'answered' },
    refused: { kind: 'refused', code: '1', message: 'no', exit: 1 },
    doubt: { kind: 'doubt', because: 'lost' },
    absent: { kind: 'failed', code: '', message: '', exit: 1, person: { who: 'ann' } },
  };
  return { kind: 'settled', address: `ladder[${key}]`, outcome: outcomes[kind] };
}

test('the essential entries tell the ledger and the search for orphans what the journal does', () => {
  const event = fc.tuple(
    fc.constantFrom('1', '2', '3'),
    fc.constantFrom('run', 'playbook', 'done', 'refused', 'doubt', 'absent', 'read'),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (drawn) => {
      const events = drawn.map(([key, what], place): Event => {
        if (what === 'run' || what === 'playbook') return intentOf('r-1', key, what, place + 1);
        if (what === 'read') return { kind: 'opened', step: 'verify' };
        return settled(key, what);
      });
      const all = [started('r-1', account), ...events, finished];
      const entries = all.map((one, index): Entry => ({ ...one, seq: index + 1, at: index }));
      const short = essential(entries, 'r-1');
      const view = { as: account, standingOf: () => 'same' as const };
      const own = new Set(
        ['1', '2', '3'].map((key) =>
          identityOf({ per: 'run', run: 'r-1' }, `ladder[${key}]`, null),
        ),
      );
      const ledger = (of: readonly Entry[]): unknown =>
        [...ledgerFrom([{ run: 'r-1', entries: of }], view)].filter(([key]) => !own.has(key));
      const placed = (of: readonly Entry[]): unknown =>
        placedOrders([{ run: 'r-1', entries: of }], view);
      expect(ledger(short)).toEqual(ledger(entries));
      expect(placed(short)).toEqual(placed(entries));
    }),
  );
});

test.each([
  [-3_600_000, false, 'the clock was set back'],
  [0, false, 'now'],
  [2_000, false, 'two seconds ago'],
  [2_001, true, 'earlier'],
])('a file that was changed %i ms ago is known by its stamp: %s (%s)', (ago, isKnownBy) => {
  const changedAt = 1_790_000_000_000;
  expect(isLasting([1, 2, 3, 4, changedAt], changedAt + ago)).toBe(isKnownBy);
});
