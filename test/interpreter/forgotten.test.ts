/** A step that would send something else now than what an earlier process may have sent. */
import { expect, test } from 'vitest';
import type { Transport } from '../../src/api/exchange.ts';
import { doubtsIn } from '../../src/effects/resolve.ts';
import type { Entry, Event } from '../../src/journal/entry.ts';
import { chainStart, encodeRecord } from '../../src/journal/record.ts';
import {
  entriesOf,
  live,
  openDesk,
  ordersPlaced,
  playbookFrom,
  type Desk,
} from '../support/desk.ts';
import { limitOrder } from '../support/order.ts';

/** An order by a read: its key, or only its price. */
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

/** As it would be if the answer to the read had never been recorded, and the market had moved. */
function withoutRead(desk: Desk): void {
  write(
    desk,
    entriesOf(desk).filter((entry) => entry.kind !== 'settled' || entry.address !== 'prices'),
  );
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: '78012.5' };
  desk.sandbox.control('POST', 'market', market);
}

function write(desk: Desk, events: readonly (Event | Entry)[]): void {
  let prev = chainStart;
  desk.disk = '';
  for (const [index, event] of events.entries()) {
    const { seq: _seq, at: _at, ...own } = { seq: 0, at: 0, ...event };
    const record = encodeRecord(own, { seq: index + 1, at: desk.clock.now(), prev });
    prev = record.link;
    desk.disk += record.line;
  }
}

async function placedOn(desk: Desk): Promise<readonly number[]> {
  const placed = [...(await ordersPlaced(desk))].filter(([name]) => /^dh.{26}$/.test(name));
  return placed.map(([, times]) => times);
}

/** After the first order no answer ever comes. */
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
  ['under another key', orderBy('{{ each.value }}'), /is no longer part of it/],
  ['at another price', orderBy('{{ each.index }}'), /would now be sent with different content/],
])('%s: in doubt, and nothing else is sent', async (_, playbook, because) => {
  const desk = await openDesk();
  const life = live(desk, playbook, { wrap: silentAfterOrder() });
  expect(await life).toMatchObject({ status: 'doubt' });
  expect(await placedOn(desk)).toEqual([1]);
  withoutRead(desk);
  const result = await live(desk, playbook);
  expect(result).toMatchObject({ status: 'doubt', exit: 6 });
  expect(await placedOn(desk)).toEqual([1]);
  const [doubt, ...others] = doubtsIn(entriesOf(desk));
  expect(others).toEqual([]);
  expect(doubt?.address).toBe(entriesOf(desk).find((entry) => entry.kind === 'intended')?.address);
  expect(entriesOf(desk).findLast((entry) => entry.kind === 'closed')).toMatchObject({
    step: 'orders',
    status: 'doubt',
    because: expect.stringMatching(because),
  });
});

test('after a person recorded the absence, the new content is sent', async () => {
  const desk = await openDesk();
  const playbook = orderBy('{{ each.value }}');
  await live(desk, playbook, { wrap: silentAfterOrder() });
  withoutRead(desk);
  await live(desk, playbook);
  const [doubt] = doubtsIn(entriesOf(desk));
  const person = { who: 'ann' };
  const outcome = { kind: 'failed', code: 'absent', message: '', exit: 1, person } as const;
  write(desk, [...entriesOf(desk), { kind: 'settled', address: doubt?.address ?? '', outcome }]);
  expect(await live(desk, playbook)).toMatchObject({ status: 'done' });
  expect(await placedOn(desk)).toHaveLength(3);
});
