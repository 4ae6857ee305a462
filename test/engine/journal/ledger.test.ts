/** The ledger of older journals: each write is named again from its journal, and proved or not. */
import { describe, expect, test } from 'vitest';
import type { Destination, Entry, Event, Outcome } from '../../../src/engine/journal/entry.ts';
import { clientOidOf, identityOf } from '../../../src/engine/journal/identity.ts';
import { ledgerFrom, playbookKey, writtenIdentity } from '../../../src/engine/journal/ledger.ts';
import type { RunRecord } from '../../../src/engine/journal/run-record.ts';
import { nothingDecided } from '../../../src/engine/journal/account-decisions.ts';
import { AccountRegister } from '../../../src/engine/journal/standing.ts';
import { orderInput, started } from '../../support/desk-setup.ts';

const old: Destination = {
  profile: 'main',
  target: 'sandbox',
  host: 'localhost:8787',
  keyFingerprint: '11111111',
};
const now: Destination = { ...old, host: '127.0.0.1:8787', accountId: '7000000002' };
const rotated: Destination = { ...now, keyFingerprint: '22222222' };

const done: Outcome = { kind: 'done', output: { orderId: '1' }, evidence: 'answered' };
const doubt: Outcome = { kind: 'doubt', because: 'reset' };

interface Sent {
  readonly address?: string;
  readonly size?: string;
  readonly outcome?: Outcome;
  readonly signedAt?: number;
  readonly per?: 'run';
  readonly by?: Destination;
}

const fields = (size: string): Readonly<Record<string, string>> => {
  const { clientOid: _own, ...content } = orderInput('61500.0', size);
  return content;
};

/** A journal of versions before account-ids: names derive from the raw text of everything. */
function recordOf(run: string, sent: readonly Sent[], destination = old, others?: Destination[]) {
  const [first] = [started(run, destination)];
  const events: Event[] = [
    first.kind === 'started' && others ? { ...first, accounts: others } : first,
    ...sent.flatMap((one): Event[] => {
      const { address = 'ladder[61500.0]', size = '0.010', outcome, signedAt = 5, per } = one;
      const content = fields(size);
      const identity =
        per === 'run'
          ? identityOf({ per, run }, address, content)
          : writtenIdentity(one.by ?? destination, 'desk-setup', address, content);
      const input = { ...content, clientOid: clientOidOf(identity) };
      const operation = 'futures/place-order';
      return [
        { kind: 'intended', address, operation, input, identity, attempt: 1, signedAt },
        ...(outcome === undefined ? [] : [{ kind: 'settled', address, outcome } as const]),
      ];
    }),
  ];
  const entries = events.map((event, index): Entry => ({ ...event, seq: index + 1, at: 0 }));
  return { run, entries } satisfies RunRecord;
}

const keyOf = (account: Destination, address: string, size: string): string =>
  playbookKey(account, {
    playbook: 'desk-setup',
    address,
    operation: 'futures/place-order',
    content: fields(size),
  });

function ledgerOn(
  account: Destination,
  records: readonly RunRecord[],
  decided = nothingDecided,
): ReturnType<typeof ledgerFrom> {
  const book = new AccountRegister([], () => decided);
  return ledgerFrom(records, { as: account, standingOf: (then) => book.standingOf(account, then) });
}

test('a write under another spelling of host, size and key counts for the account', () => {
  const ledger = ledgerOn(now, [recordOf('r-1', [{ outcome: done }])]);
  expect(ledger.get(keyOf(now, 'ladder[61500]', '0.01'))).toEqual({
    kind: 'done',
    run: 'r-1',
    output: { orderId: '1' },
  });
  expect(ledger.get(keyOf(now, 'ladder[61500]', '0.02'))).toBeUndefined();
});

test('a write with another key is unproved until a person declares whose key it was', () => {
  const records = [recordOf('r-1', [{ outcome: done }])];
  const key = keyOf(rotated, 'ladder[61500]', '0.01');
  expect(ledgerOn(rotated, records).get(key)).toMatchObject({
    kind: 'unproved',
    unproved: [{ run: 'r-1', destination: old, output: { orderId: '1' } }],
  });
  const former = { ...nothingDecided, formerKeys: ['11111111'] };
  expect(ledgerOn(rotated, records, former).get(key)).toMatchObject({ kind: 'done' });
  const other = { ...nothingDecided, otherKeys: ['11111111'] };
  expect(ledgerOn(rotated, records, other).get(key)).toBeUndefined();
});

test('an open write keeps every run’s intent, with its clientOid and signing times', () => {
  const ledger = ledgerOn(now, [
    recordOf('r-1', [{ signedAt: 10 }, { signedAt: 20 }]),
    recordOf('r-2', [{ size: '0.0100', signedAt: 30, outcome: doubt }]),
  ]);
  const names = [...ledger.values()].flatMap((entry) =>
    entry.kind === 'open'
      ? entry.intents.map(({ run, signed }) => [run, signed.map(({ signedAt }) => signedAt)])
      : [],
  );
  expect(names).toEqual([
    ['r-1', [10, 20]],
    ['r-2', [30]],
  ]);
  const entry = ledger.get(keyOf(now, 'ladder[61500]', '0.01'));
  const inputs = entry?.kind === 'open' ? entry.intents.map(({ input }) => Object(input)) : [];
  const clientOids = inputs.map(({ clientOid }) => clientOid);
  expect(new Set(clientOids).size).toBe(2); // each as it was sent then, neither as it would be sent now
});

test('a write recorded as absent in one run is open while another run is in doubt', () => {
  const person = { who: 'ann' };
  const absent: Outcome = { kind: 'failed', code: 'absent', message: '', exit: 1, person };
  const said = recordOf('r-1', [{ outcome: absent }]);
  const key = keyOf(now, 'ladder[61500]', '0.01');
  expect(ledgerOn(now, [said]).get(key)).toMatchObject({ isSaidAbsent: true });
  for (const records of [
    [said, recordOf('r-2', [{}])],
    [recordOf('r-2', [{}]), said],
  ]) {
    expect(ledgerOn(now, records).get(key)).toMatchObject({ kind: 'open', isSaidAbsent: false });
  }
});

test('done takes precedence over open, in any order of runs; a refusal leaves nothing', () => {
  const records = [recordOf('r-1', [{ outcome: done }]), recordOf('r-2', [{ size: '0.01' }])];
  const key = keyOf(now, 'ladder[61500]', '0.01');
  expect(ledgerOn(now, records).get(key)).toMatchObject({ kind: 'done', run: 'r-1' });
  expect(ledgerOn(now, records.toReversed()).get(key)).toMatchObject({ kind: 'done', run: 'r-1' });
  const refused: Outcome = { kind: 'refused', code: '1', message: 'no', exit: 1 };
  expect(ledgerOn(now, [recordOf('r-1', [{ outcome: refused }])]).size).toBe(0);
});

test('a once-per-run write of one run does not count for another', () => {
  const ledger = ledgerOn(now, [recordOf('r-1', [{ per: 'run', outcome: done }])]);
  expect([...ledger.keys()]).toEqual([
    identityOf({ per: 'run', run: 'r-1' }, 'ladder[61500.0]', null),
  ]);
});

describe('a run on several accounts, whose record does not name them', () => {
  const other = { ...old, profile: 'other', keyFingerprint: '33333333' };

  test('is assigned by its clientOids', () => {
    const records = [recordOf('r-1', [{ outcome: done, by: other }], old, [other])];
    expect(ledgerOn(now, records).get(keyOf(now, 'ladder[61500]', '0.01'))).toMatchObject({
      kind: 'unproved',
    });
    const there = { ...other, host: '127.0.0.1:8787' };
    expect(ledgerOn(there, records).get(keyOf(there, 'ladder[61500]', '0.01'))).toMatchObject({
      kind: 'done',
    });
  });

  test('counts for each of them if the clientOids do not tell', () => {
    const strange = { ...old, keyFingerprint: '44444444' };
    const records = [recordOf('r-1', [{ outcome: done, by: strange }], old, [other])];
    expect(ledgerOn(now, records).size).toBe(1);
  });
});
