/** A step that would now send something other than an earlier process may have sent. */
import { expect, test } from 'vitest';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { doubtsIn } from '../../../src/engine/effects/doubts.ts';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { chainStart, encodeRecord } from '../../../src/engine/journal/record.ts';
import {
  entriesOf,
  live,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

/** An order that takes its key, or only its price, from a read. */
function orderBy(key: string, more = '') {
  return playbookFrom(`playbook: 1
name: by-read
steps:
  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ roundTo (mul response.0.lastPrice 0.3) 1 }}" }
  - id: orders
    needs: [prices]${more}
    for-each: ["{{ steps.prices.outputs.price }}", 20000]
    key: "${key}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', force: 'post_only' })}
`);
}

/** As if the response to the read was never recorded and the market had moved. */
function withoutRead(harness: Harness): void {
  write(
    harness,
    entriesOf(harness).filter((entry) => entry.kind !== 'settled' || entry.address !== 'prices'),
  );
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: '78012.5' };
  harness.sandbox.control('POST', 'market', market);
}

function write(harness: Harness, events: readonly (Event | Entry)[]): void {
  let prev = chainStart;
  harness.disk = '';
  for (const [index, event] of events.entries()) {
    const { seq: _seq, at: _at, ...own } = { seq: 0, at: 0, ...event };
    const record = encodeRecord(own, { seq: index + 1, at: harness.clock.now(), prev });
    prev = record.link;
    harness.disk += record.line;
  }
}

async function placedOn(harness: Harness): Promise<readonly number[]> {
  const placed = [...(await ordersPlaced(harness))].filter(([name]) => /^dh.{26}$/.test(name));
  return placed.map(([, times]) => times);
}

/** No response arrives after the first order. */
function silentAfterOrder(): (transport: Transport) => Transport {
  let orders = 0;
  return (transport) => async (request, signal) => {
    if (orders > 0) throw new Error('no answer');
    const answer = await transport(request, signal);
    if (!request.path.includes('place-order')) return answer;
    orders += 1;
    throw new Error('no answer');
  };
}

test.each([
  ['under another key', orderBy('{{ each.value }}'), /is not part of it anymore/],
  ['at another price', orderBy('{{ each.index }}'), /would now be sent with different content/],
])('%s: in doubt, and nothing else is sent', async (_, playbook, because) => {
  const harness = await openHarness();
  const life = live(harness, playbook, { wrap: silentAfterOrder() });
  expect(await life).toMatchObject({ status: 'doubt' });
  expect(await placedOn(harness)).toEqual([1]);
  withoutRead(harness);
  const result = await live(harness, playbook);
  expect(result).toMatchObject({ status: 'doubt', exit: 6 });
  expect(await placedOn(harness)).toEqual([1]);
  const [doubt, ...others] = doubtsIn(entriesOf(harness));
  expect(others).toEqual([]);
  expect(doubt?.address).toBe(
    entriesOf(harness).find((entry) => entry.kind === 'intended')?.address,
  );
  expect(entriesOf(harness).findLast((entry) => entry.kind === 'closed')).toMatchObject({
    step: 'orders',
    status: 'doubt',
    because: expect.stringMatching(because),
  });
});

test('after a person recorded the absence, the new content is sent', async () => {
  const harness = await openHarness();
  const playbook = orderBy('{{ each.value }}');
  await live(harness, playbook, { wrap: silentAfterOrder() });
  withoutRead(harness);
  await live(harness, playbook);
  const [doubt] = doubtsIn(entriesOf(harness));
  const person = { who: 'ann' };
  const outcome = { kind: 'failed', code: 'absent', message: '', exit: 1, person } as const;
  write(harness, [
    ...entriesOf(harness),
    { kind: 'settled', address: doubt?.address ?? '', outcome },
  ]);
  expect(await live(harness, playbook)).toMatchObject({ status: 'done' });
  expect(await placedOn(harness)).toHaveLength(3);
});
