/** Orders of an account that is known to be classic are proved by the reads that its family has. */
import { describe, expect, test } from 'vitest';
import { day } from '../../../src/base/clock.ts';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import { tradedLines } from '../../../src/exchange/api/meant-order.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { visibilitiesIn } from '../../../src/engine/journal/visibility.ts';
import { namesIn, writesIn } from '../../../src/engine/journal/writes.ts';
import { driftOf } from '../../../src/engine/plan/drift.ts';
import { observerOf } from '../../../src/engine/plan/observe.ts';
import {
  clientOf,
  entriesOf,
  live,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const account: Destination = {
  profile: 'main',
  target: 'live',
  host: 'x',
  keyFingerprint: '0000',
  family: 'classic',
};

const playbook = (tradeSide: string) =>
  playbookFrom(`
playbook: 1
name: classic
steps:
  - id: order
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' }).replace('tradeSide: open', `tradeSide: ${tradeSide}`)}
`);

/** The exchange refuses the paths of the other family, and loses the first order's request or response. */
function split(loss?: 'before' | 'after', hidden: readonly string[] = []) {
  let isLost = loss !== undefined;
  return (transport: Transport): Transport =>
    async (request, signal) => {
      const { operation } = request;
      if (/^(?:order|trade)\//.test(operation)) throw new Error(`${operation} was asked`);
      if (hidden.includes(operation)) throw new TransportError('no route', 'no');
      if (operation !== 'futures/place-order' || !isLost) return transport(request, signal);
      isLost = false;
      if (loss === 'after') await transport(request, signal);
      throw new TransportError('connection reset', 'maybe');
    };
}

const outcomeOf = (harness: Harness) => replay(entriesOf(harness)).get('order')?.outcome;

const learnedOf = (harness: Harness) =>
  [...visibilitiesIn(entriesOf(harness)).values()].map(({ line, orders }) => [line, orders]);

async function timesPlaced(harness: Harness): Promise<readonly number[]> {
  return [...(await ordersPlaced(harness))]
    .filter(([id]) => id.startsWith('dh'))
    .map(([, times]) => times);
}

describe('an order of a classic account whose response was lost', () => {
  test.each(['open', 'close'])('is found by its key: %s', async (tradeSide) => {
    const harness = await openHarness();
    const wrap = split('after');
    await live(harness, playbook(tradeSide), { wrap, destination: account });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'looked-up' });
  });

  test.each(['open', 'close'])('is found in its lists alone: %s', async (tradeSide) => {
    const harness = await openHarness();
    const wrap = split('after', ['futures/get-order']);
    await live(harness, playbook(tradeSide), { wrap, destination: account });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'looked-up' });
    expect(learnedOf(harness)).toEqual([['USDT-FUTURES in classic lists', 'listed']]);
  });

  test('that never arrived is sent again past its fence, once', async () => {
    const harness = await openHarness();
    const began = harness.clock.now();
    const destination = { ...account, target: 'sandbox' } as const;
    await live(harness, playbook('open'), { wrap: split('before'), destination });
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', evidence: 'answered' });
    expect(harness.clock.now() - began).toBeGreaterThan(40_000);
    expect(await timesPlaced(harness)).toEqual([1]);
  });
});

test('the lists of the other family, which showed orders before, prove nothing of it', async () => {
  const harness = await openHarness();
  const { family: _family, ...before } = account;
  await live(harness, playbook('open'), { destination: before });
  expect(learnedOf(harness)).toEqual([['USDT-FUTURES', 'listed']]);
  const known = visibilitiesIn(entriesOf(harness));
  harness.disk = '';
  const wrap = split('before');
  const life = { wrap, destination: account, visibilities: known, runId: 'r-next' };
  await live(harness, playbook('open'), life);
  expect(outcomeOf(harness)).toMatchObject({
    kind: 'doubt',
    lookup: { but: expect.stringContaining('USDT-FUTURES in classic lists') },
  });
});

test('drift compares it with the lists of its family', async () => {
  const harness = await openHarness();
  const wrap = split();
  await live(harness, playbook('open'), { wrap, destination: account });
  const { signal } = new AbortController();
  const { lines } = await driftOf({
    writes: writesIn('r-test', entriesOf(harness)),
    sentHere: async () => new Set(namesIn(entriesOf(harness))),
    endedHere: async () => new Map(),
    accounts: [
      { profile: 'main', family: 'classic', observer: observerOf(clientOf(harness, wrap), signal) },
    ],
    now: harness.clock.now(),
  });
  expect(lines.map(({ kind, shown }) => [kind, shown])).toEqual([['same', 'live']]);
});

test('an order that has rested longer than the longest range of the list is found', async () => {
  const harness = await openHarness();
  const fields = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', marginMode: 'crossed' } as const;
  const input = { ...fields, marginCoin: 'USDT', size: '0.001', price: '20000.0' };
  const order = { ...input, side: 'buy', tradeSide: 'open', orderType: 'limit' } as const;
  await clientOf(harness).call('futures/place-order', { ...order, clientOid: 'patient' });
  harness.clock.advance(100 * day);
  const observer = observerOf(clientOf(harness, split()), new AbortController().signal);
  const [listed] = [...tradedLines('classic').values()].filter(
    ({ line }) => line === 'USDT-FUTURES',
  );
  if (listed === undefined) throw new Error('the line is not traded');
  expect([...(await observer.orders(listed, 0)).keys()]).toContain('patient');
});
