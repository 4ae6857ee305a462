/** Drift: the ledger compared with the exchange. */
import { expect, test } from 'vitest';
import { day } from '../../../src/base/clock.ts';
import type { Entry, Outcome } from '../../../src/engine/journal/entry.ts';
import { writesIn } from '../../../src/engine/journal/writes.ts';
import { driftOf, isDifference, type DriftLine } from '../../../src/engine/plan/drift.ts';
import { observerOf } from '../../../src/engine/plan/observe.ts';
import { driftMarkdown } from '../../../src/report/markdown/drift-comment.ts';
import {
  clientOf,
  destination,
  entriesOf,
  live,
  openHarness,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`
playbook: 1
name: ladder
account: main
steps:
  - id: ladder
    for-each: "{{ ladder from='41000.0' to='40000.0' count=3 tick='0.1' total='0.006' lot='0.001' }}"
    key: "rung-{{ each.index }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}' })}
  - id: leverage
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "5" }
`);

async function done(): Promise<Harness> {
  const harness = await openHarness();
  expect((await live(harness, playbook)).status).toBe('done');
  return harness;
}

async function drift(
  harness: Harness,
  change: (entry: Entry) => Entry[] = (entry) => [entry],
  orphaned: ReadonlySet<string> = new Set(),
): Promise<readonly DriftLine[]> {
  const exchange = clientOf(harness);
  const writes = writesIn('r-test', entriesOf(harness).flatMap(change));
  const known = new Set(writes.map(({ input }) => String(Reflect.get(Object(input), 'clientOid'))));
  const observer = observerOf(exchange, new AbortController().signal);
  const accounts = [{ profile: 'main', observer }] as const;
  const sentHere = async () => known;
  const endedHere = async () => new Map();
  const now = await exchange.serverTime();
  const options = { writes, sentHere, endedHere, orphaned, accounts, now };
  const { lines, older } = await driftOf(options);
  expect(older).toBe(0); // all of them are listed
  return lines;
}

const kinds = (lines: readonly DriftLine[]): readonly string[] => lines.map(({ kind }) => kind);

test('unchanged orders are not drift; neither is a leverage that the account shows', async () => {
  const lines = await drift(await done());
  expect(kinds(lines)).toEqual(['same', 'same', 'same', 'same']);
  expect(lines[0]?.recorded).toBe('BTCUSDT buy 0.002 @ 41000.0, done');
});

test('a leverage that was set again later counts once, unless the later one was refused', async () => {
  const again = (outcome: Outcome) => (entry: Entry) => {
    if (!('address' in entry) || entry.address !== 'leverage') return [entry];
    const address = 'later';
    if (entry.kind === 'intended') {
      return [entry, { ...entry, address, signedAt: entry.signedAt + 1 }];
    }
    return entry.kind === 'settled' ? [entry, { ...entry, address, outcome }] : [entry];
  };
  const harness = await done();
  const sets = async (outcome: Outcome): Promise<readonly unknown[]> =>
    (await drift(harness, again(outcome))).slice(3).map(({ address }) => address);
  const set = { kind: 'done', output: 'success', evidence: 'answered' } as const;
  expect(await sets(set)).toEqual(['later']);
  const refused = { kind: 'refused', code: '40014', message: 'no', exit: 4 } as const;
  expect(await sets(refused)).toEqual(['leverage', 'later']);
});

test('an order that differs from the record is reported field by field', async () => {
  const lines = await drift(await done(), (entry) => {
    if (entry.kind !== 'intended' || entry.address !== 'ladder[rung-1]') return [entry];
    return [{ ...entry, input: { ...Object(entry.input), size: '0.003' } }];
  });
  expect(kinds(lines)).toEqual(['same', 'differs', 'same', 'same']);
  expect(lines[1]?.shown).toBe('its size is 0.002');
});

test('a recorded order that does not exist is a difference', async () => {
  const lines = await drift(await done(), (entry) => {
    if (entry.kind !== 'intended' || entry.address !== 'ladder[rung-2]') return [entry];
    return [{ ...entry, input: { ...Object(entry.input), clientOid: 'dhnowhere' } }];
  });
  expect(lines[2]).toMatchObject({
    kind: 'differs',
    shown: 'not in open orders or history',
  });
  // The order with its own clientOid is not known here anymore.
  expect(kinds(lines)).toEqual(['same', 'same', 'differs', 'same', 'unrecorded']);
});

test('an order that was canceled by hand is a difference', async () => {
  const harness = await done();
  const before = await clientOf(harness).call('order/list-open', { category: 'USDT-FUTURES' });
  const ours = before.list.find(({ clientOid }) => String(clientOid).startsWith('dh'));
  harness.sandbox.control('POST', 'orders/cancel', { orderId: ours?.orderId ?? '' });
  const lines = await drift(harness);
  expect(lines.filter(({ kind }) => kind === 'differs')).toMatchObject([
    { shown: 'cancelled (normal_cancel)' },
  ]);
  // Unless the playbook no longer has it: then a plan asked for that.
  const orphaned = await drift(harness, undefined, new Set([String(ours?.clientOid)]));
  expect(orphaned.some(isDifference)).toBe(false);
});

test('a write without an outcome is a doubt, reported with what exists', async () => {
  const lines = await drift(await done(), (entry) =>
    entry.kind === 'settled' && entry.address === 'ladder[rung-0]' ? [] : [entry],
  );
  expect(lines[0]).toMatchObject({
    kind: 'doubt',
    shown: expect.stringMatching(/^it is there: (live|new)$/),
  });
});

test('an order in doubt stays a doubt when it is older than what the exchange lists', async () => {
  const lines = await drift(await done(), (entry) => {
    if (!('address' in entry) || entry.address !== 'ladder[rung-0]') return [entry];
    if (entry.kind !== 'intended') return [];
    const input = { ...Object(entry.input), clientOid: 'dhnowhere' };
    return [{ ...entry, input, signedAt: entry.signedAt - 100 * day }];
  });
  expect(lines[0]).toMatchObject({
    kind: 'doubt',
    shown: 'older than what the exchange lists',
  });
});

test('an order that was recorded as refused and exists is a difference', async () => {
  const lines = await drift(await done(), (entry) => {
    if (entry.kind !== 'settled' || entry.address !== 'ladder[rung-0]') return [entry];
    const outcome = { kind: 'refused', code: '40762', message: 'no', exit: 1 } as const;
    return [{ ...entry, outcome }];
  });
  expect(lines[0]).toMatchObject({
    kind: 'differs',
    recorded: expect.stringMatching(/refused: 40762$/),
  });
});

test('Markdown shows differences and what cannot be read, in whole rows', async () => {
  const lines = await drift(await done(), (entry) =>
    entry.kind === 'settled' && entry.address === 'ladder[rung-0]' ? [] : [entry],
  );
  const drifted = {
    playbook: 'ladder',
    file: 'ladder.yaml',
    destination,
    lines,
    older: 7,
    elsewhere: 1,
    damages: [],
  };
  const text = driftMarkdown(drifted);
  expect(text.split('\n').slice(0, 3)).toEqual([
    '<!-- deskhand:drift:ladder.yaml -->',
    '',
    '### ✖ ladder: 1 difference',
  ]);
  expect(text).toContain(
    '3 as recorded, 0 cannot be read back. 7 orders older than what the exchange lists. 1 run on other accounts not checked.',
  );
  expect(text.match(/^\| \*\*doubt\*\* \|/gm)).toHaveLength(1);
  const many = Array.from({ length: 5_000 }, () => lines).flat();
  const long = driftMarkdown({ ...drifted, lines: many });
  expect(long.length).toBeLessThanOrEqual(60_000);
  expect(long).toContain('`deskhand drift` shows all');
  expect(many.filter(isDifference).length).toBe(5_000);
});
