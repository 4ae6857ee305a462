/** What earlier runs did is found by names: of thousands of ended runs only those are unpacked that may have it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Destination, Entry, Event } from '../../../src/engine/journal/entry.ts';
import { essential } from '../../../src/engine/journal/essential.ts';
import type { RunHeader } from '../../../src/engine/journal/header.ts';
import { clientOidOf, identityOf } from '../../../src/engine/journal/identity.ts';
import { lastingIn, unpacked } from '../../../src/engine/journal/lasting.ts';
import { ledgerFrom, playbookKey, type Standing } from '../../../src/engine/journal/ledger.ts';
import type { RunRecord } from '../../../src/engine/journal/run-record.ts';
import { PastWrites, type PastRun } from '../../../src/engine/journal/past-writes.ts';
import { placedOrders } from '../../../src/engine/journal/placed-orders.ts';
import { stateKey, statesFrom } from '../../../src/engine/journal/states.ts';
import { started } from '../../support/desk-setup.ts';

const playbook = 'desk-setup';
const place = { profile: 'main', target: 'demo', host: 'api.example' } as const;
const accounts: readonly Destination[] = [
  { ...place, keyFingerprint: 'aa', accountId: '1' },
  { ...place, keyFingerprint: 'bb', accountId: '1' }, // another key of the same account
  { ...place, keyFingerprint: 'aa' }, // before it had an id
  { ...place, keyFingerprint: 'cc' }, // whose account nobody told
  { ...place, keyFingerprint: 'dd', accountId: '2' },
];
const standings: readonly Standing[] = ['same', 'same', 'same', 'unproved', 'other'];
const now: Destination = { ...place, keyFingerprint: 'bb', accountId: '1' };
const view = {
  as: now,
  playbook,
  standingOf: (then: Destination): Standing =>
    standings[
      accounts.findIndex(
        (each) => each.keyFingerprint === then.keyFingerprint && each.accountId === then.accountId,
      )
    ] ?? 'other',
};

const order = 'futures/place-order';
const leverage = 'futures/set-leverage';
const contentOf = (key: string) => ({ symbol: 'BTCUSDT', productType: 'USDT-FUTURES', size: key });
const targetOf = (key: string) => ({
  symbol: key,
  productType: 'USDT-FUTURES',
  marginCoin: 'USDT',
  leverage: '5',
});

type Act = readonly [what: 'order' | 'lost' | 'refused' | 'set', key: string, signedAt: number];

function eventsOf(run: string, account: Destination, [what, key, signedAt]: Act): readonly Event[] {
  const output = { orderId: `${run}-${key}` };
  if (what === 'set') {
    const address = `set[${key}]`;
    const identity = identityOf({ per: 'run', run }, address, null);
    return [
      {
        kind: 'intended',
        address,
        operation: leverage,
        input: targetOf(key),
        identity,
        attempt: 1,
        signedAt,
      },
      { kind: 'settled', address, outcome: { kind: 'done', output, evidence: 'answered' } },
    ];
  }
  const address = `ladder[${key}]`;
  const content = contentOf(key);
  const identity = playbookKey(account, { playbook, address, operation: order, content });
  const input = { ...content, clientOid: clientOidOf(identity) };
  const intent: Event = {
    kind: 'intended',
    address,
    operation: order,
    input,
    identity,
    attempt: 1,
    signedAt,
  };
  if (what === 'lost') return [intent];
  return [
    intent,
    {
      kind: 'settled',
      address,
      outcome:
        what === 'order'
          ? { kind: 'done', output, evidence: 'answered' }
          : { kind: 'refused', code: '1', message: 'no', exit: 1 },
    },
  ];
}

function recordOf(run: string, account: Destination, acts: readonly Act[]): RunRecord {
  const events = [
    started(run, account),
    ...acts.flatMap((act) => eventsOf(run, account, act)),
    { kind: 'finished', status: 'done', exit: 0, outputs: {} } as const,
  ];
  return { run, entries: events.map((event, at): Entry => ({ ...event, seq: at + 1, at })) };
}

/** The run as the catalogue has it. @param onUnpack is called when its entries are asked for */
function packedOf({ run, entries }: RunRecord, onUnpack: (run: string) => void): PastRun {
  const [first] = entries;
  const lasting = lastingIn(run, essential(entries, run));
  if (first?.kind !== 'started' || lasting === undefined) return { run, entries };
  const { destination } = first;
  const header: RunHeader = { run, playbook, destination, createdAt: 0, program: 'deskhand' };
  const signed = entries.flatMap((entry) => (entry.kind === 'intended' ? [entry.signedAt] : []));
  return {
    run,
    playbook,
    accounts: [destination],
    signedAt: Math.max(...signed),
    lasting,
    unpacked: () => {
      onUnpack(run);
      return unpacked(lasting, header);
    },
  };
}

const keys = ['1', '2', '3'] as const;
const ledgerKeys = keys.flatMap((key) => [
  playbookKey(now, {
    playbook,
    address: `ladder[${key}]`,
    operation: order,
    content: contentOf(key),
  }),
  stateKey(leverage, targetOf(key)) ?? '',
]);

test('a plan is told of names what it would be told of all entries', () => {
  const act = fc.tuple(
    fc.constantFrom('order' as const, 'lost' as const, 'refused' as const, 'set' as const),
    fc.constantFrom(...keys),
    fc.integer({ min: 1, max: 3 }),
  );
  const run = fc.tuple(
    fc.constantFrom(...accounts.keys()),
    fc.array(act, { maxLength: 4 }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(
      fc.array(run, { maxLength: 6 }),
      fc.shuffledSubarray(ledgerKeys),
      (drawn, asked) => {
        const records = drawn.map(([account, acts], at) =>
          recordOf(`r-${at}`, accounts[account] ?? now, acts),
        );
        const past = new PastWrites(
          records.map((record, at) =>
            drawn[at]?.[2] === true ? packedOf(record, () => {}) : record,
          ),
        );
        const whole = new Map([...ledgerFrom(records, view), ...statesFrom(records, view, [])]);
        const ledger = past.of(view);
        for (const key of asked) expect(ledger.get(key)).toEqual(whole.get(key));
        const placed = placedOrders(records, view);
        const isFirst = ({ address }: { readonly address: string }): boolean =>
          address === 'ladder[1]';
        expect(past.of(view).some(() => true, isFirst)).toBe(placed.some(isFirst));
        expect(past.of(view).named(placed.map(({ clientOid }) => clientOid).toReversed())).toEqual(
          placed,
        );
        expect(past.of(view).all()).toEqual(placed);
      },
    ),
    { numRuns: 300 },
  );
});

test('of two states that were set at one time the later run counts, whatever else the earlier one signed', () => {
  const sets: Act = ['set', 'BTCUSDT', 5];
  const records = [recordOf('r-0', now, [sets, ['order', '1', 9]]), recordOf('r-1', now, [sets])];
  const past = new PastWrites(records.map((record) => packedOf(record, () => {})));
  const key = stateKey(leverage, targetOf('BTCUSDT')) ?? '';
  expect(past.of(view).get(key)).toMatchObject({ run: 'r-1' });
});

test('of a thousand ended runs only those are unpacked that have the write, the state or the order', () => {
  const opened: string[] = [];
  const runs = Array.from({ length: 1_000 }, (_none, at) => {
    const acts: Act[] = [
      ['order', String(at), at],
      ['set', 'BTCUSDT', at],
    ];
    return packedOf(recordOf(`r-${at}`, now, acts), (run) => opened.push(run));
  });
  const ledger = new PastWrites(runs).of(view);
  const content = contentOf('7');
  const key = playbookKey(now, { playbook, address: 'ladder[7]', operation: order, content });
  expect(ledger.get(key)).toMatchObject({ kind: 'done', run: 'r-7' });
  expect(ledger.named([clientOidOf(key)])).toMatchObject([{ run: 'r-7' }]);
  expect(opened).toEqual(['r-7']);
  expect(
    ledger.get(playbookKey(now, { playbook, address: 'new', operation: order, content })),
  ).toBeUndefined();
  expect(opened).toEqual(['r-7']);
  expect(ledger.get(stateKey(leverage, targetOf('BTCUSDT')) ?? '')).toMatchObject({ run: 'r-999' });
  expect(
    ledger.some(
      () => true,
      () => true,
    ),
  ).toBe(true);
  expect(opened).toEqual(['r-7', 'r-999']);
});
