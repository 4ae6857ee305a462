/** Orders of a unified account keep the promise by the declaration of their operation. */
import { describe, expect, test } from 'vitest';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import { ledgerOf } from '../../../src/engine/journal/ledger.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { visibilitiesIn } from '../../../src/engine/journal/visibility.ts';
import { driftOf } from '../../../src/engine/plan/drift.ts';
import { observerOf } from '../../../src/engine/plan/observe.ts';
import { writesIn } from '../../../src/engine/journal/writes.ts';
import { plannedWords } from '../../../src/report/words.ts';
import { ordersOf } from '../../../src/report/orders.ts';
import { storyOf } from '../../../src/report/story.ts';
import type { GuardRules } from '../../../src/language/limits.ts';
import {
  clientOf,
  entriesOf,
  live,
  openHarness,
  ordersPlaced,
  planOn,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';

const account: Destination = { profile: 'main', target: 'live', host: 'x', keyFingerprint: '0000' };

const order = (fields: string) =>
  playbookFrom(`
playbook: 1
name: unified
steps:
  - id: order
    uses: trade/place-order
    with: { ${fields} }
`);

const open = `category: USDT-FUTURES, symbol: BTCUSDT, side: buy, posSide: long, orderType: limit, price: "41000.0", qty: "0.001"`;

/** What happens to the first order that is sent. */
type Loss = 'before' | 'after';

function losing(loss: Loss): (transport: Transport) => Transport {
  let sent = 0;
  return (transport) => async (request, signal) => {
    if (request.operation !== 'trade/place-order') return transport(request, signal);
    sent += 1;
    if (sent > 1) return transport(request, signal);
    if (loss === 'after') await transport(request, signal);
    throw new TransportError('connection reset', 'maybe');
  };
}

function hideFrom(harness: Harness, operations: readonly string[]): void {
  const rules = operations.map((operation) => ({
    match: { operation },
    action: { kind: 'stale-reads', ms: 1_000 * 24 * 3_600_000 },
  }));
  harness.sandbox.control('PUT', 'faults', { rules });
}

const lists = ['order/list-open', 'order/list-history'];

const outcomeOf = (harness: Harness) => replay(entriesOf(harness)).get('order')?.outcome;

async function timesPlaced(harness: Harness): Promise<readonly number[]> {
  return [...(await ordersPlaced(harness))]
    .filter(([id]) => id.startsWith('dh'))
    .map(([, times]) => times);
}

describe('an order whose response was lost', () => {
  test('is found by its key, and placed once', async () => {
    const harness = await openHarness();
    await live(harness, order(open), { wrap: losing('after') });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'looked-up' });
    expect(await timesPlaced(harness)).toEqual([1]);
  });

  test('that is found by its key alone proves nothing about the lists', async () => {
    const harness = await openHarness();
    hideFrom(harness, lists);
    await live(harness, order(open), { wrap: losing('after'), destination: account });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'looked-up' });
    const known = [...visibilitiesIn(entriesOf(harness)).values()].map(({ orders }) => orders);
    expect(known).not.toContain('listed');
  });

  test('is sent again only past its fence, though the read by key does not know it', async () => {
    const harness = await openHarness();
    const began = harness.clock.now();
    await live(harness, order(open), { wrap: losing('before') });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'answered' });
    expect(harness.clock.now() - began).toBeGreaterThan(40_000);
    expect(await timesPlaced(harness)).toEqual([1]);
  });

  test('is found in the lists, though the read by key shows nothing', async () => {
    const harness = await openHarness();
    hideFrom(harness, ['trade/get-order']);
    await live(harness, order(open), { wrap: losing('after'), destination: account });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'looked-up' });
    const known = [...visibilitiesIn(entriesOf(harness)).values()].map(({ orders }) => orders);
    expect(known).toEqual(['listed']);
  });

  test('that closes is found by the side that it was sent with', async () => {
    const harness = await openHarness();
    const close = open.replace('side: buy', 'side: sell');
    await live(harness, order(close), { wrap: losing('after') });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'looked-up' });
  });

  test('remains in doubt on a live account whose lists never showed one', async () => {
    const harness = await openHarness();
    await live(harness, order(open), { wrap: losing('before'), destination: account });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'doubt' });
    expect(await timesPlaced(harness)).toEqual([]);
  });
});

test('an accepted order that the lists do not show is no proof, though its key finds it', async () => {
  const harness = await openHarness();
  hideFrom(harness, lists);
  await live(harness, order(open), { destination: account });
  const known = [...visibilitiesIn(entriesOf(harness)).values()].map(({ orders }) => orders);
  expect(known).toEqual(['unlisted']);
});

const wordsOfPlan = async (fields: string): Promise<readonly string[]> => {
  const { steps } = await planOn(await openHarness(), order(fields));
  return steps.flatMap(({ actions }) => actions.map(plannedWords));
};

test('reads in its own words, where a close names the executed side', async () => {
  const close = open.replace('side: buy', 'side: sell');
  const spend = `category: SPOT, symbol: BTCUSDT, side: buy, orderType: market, qty: "100"`;
  expect(await wordsOfPlan(open)).toEqual(['BTCUSDT open long 0.001 @ 41,000.0']);
  expect(await wordsOfPlan(close)).toEqual(['BTCUSDT close long 0.001 @ 41,000.0']);
  expect(await wordsOfPlan(spend)).toEqual(['BTCUSDT buy for 100 at market, SPOT']);
});

test.each<[string, GuardRules, string | undefined]>([
  ['SPOT buys for an amount', { maxOrderNotional: '99' }, 'the order is worth 100 USD; 99 is'],
  ['SPOT buys for less', { maxOrderNotional: '100' }, undefined],
])('is valued for guards: %s', async (_what, guards, broken) => {
  const harness = await openHarness();
  const spend = `category: SPOT, symbol: BTCUSDT, side: buy, orderType: market, qty: "100"`;
  await live(harness, order(spend), { guards });
  const outcome = outcomeOf(harness);
  if (broken === undefined) expect(outcome).toMatchObject({ kind: 'done' });
  else expect(outcome).toMatchObject({ code: 'guard', message: expect.stringContaining(broken) });
});

test('is compared by drift, and listed in the report', async () => {
  const harness = await openHarness();
  await live(harness, order(open));
  const entries = entriesOf(harness);
  const { signal } = new AbortController();
  const {
    lines: [line],
  } = await driftOf({
    writes: writesIn('r-test', entries),
    sentHere: async () => new Set(),
    endedHere: async () => new Map(),
    accounts: [{ profile: 'main', observer: observerOf(clientOf(harness), signal) }],
    now: harness.clock.now(),
  });
  expect(line).toMatchObject({ kind: 'same', operation: 'trade/place-order', shown: 'live' });
  const [shown] = ordersOf(storyOf(entries));
  expect(shown).toMatchObject({
    symbol: 'BTCUSDT',
    side: 'open long',
    size: '0.001',
    price: '41000.0',
    coin: 'USDT',
    state: 'placed',
  });
  expect([...ledgerOf('r-test', entries).values()]).toMatchObject([{ kind: 'done' }]);
});
