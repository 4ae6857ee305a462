/** Lookups that prove nothing: lists without an end, and rows that could be the order under another name. */
import { expect, test } from 'vitest';
import {
  TransportError,
  type Transport,
  type WireRequest,
} from '../../../src/exchange/api/exchange.ts';
import { entriesOf, live, openHarness, playbookFrom } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const bid = playbookFrom(`
playbook: 1
name: bids
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
`);

const outcomeIn = (entries: ReturnType<typeof entriesOf>): unknown => {
  const last = entries.findLast((entry) => entry.kind === 'settled');
  return last?.kind === 'settled' ? last.outcome : undefined;
};

/** A run whose order is executed and whose response is lost, on lists that a test changes. */
async function lookedUp(change: (request: WireRequest, text: string) => string) {
  const on = await openHarness();
  let [sent, listed] = [0, 0];
  const wrap =
    (transport: Transport): Transport =>
    async (request, signal) => {
      const answer = await transport(request, signal);
      if (request.operation === 'futures/place-order') {
        sent += 1;
        throw new TransportError('the connection was reset', 'maybe');
      }
      if (!request.operation.startsWith('order/')) return answer;
      listed += 1;
      return { ...answer, body: Buffer.from(change(request, Buffer.from(answer.body).toString())) };
    };
  const { status } = await live(on, bid, { onDoubt: 'resend', wrap });
  return { status, sent, listed, outcome: outcomeIn(entriesOf(on)) };
}

test.each([
  ['an empty clientOid', ''],
  ['another clientOid', 'renamed-by-the-exchange'],
])('an equal order with %s is not sent again', async (_, name) => {
  const { status, sent, outcome } = await lookedUp((_request, text) =>
    text.replaceAll(/"clientOid":"dh[a-z0-9]+"/g, `"clientOid":"${name}"`),
  );
  expect([status, sent]).toEqual(['doubt', 1]);
  expect(outcome).toMatchObject({
    because: 'the connection was reset',
    lookup: { but: expect.stringMatching(/^order \d+ with .* could be it: it is equal/) },
  });
});

test.each(['order/list-open', 'order/list-history'])(
  'a search of %s that never ends is ended, and cannot tell',
  async (endless) => {
    let next = 10 ** 15;
    const { status, sent, listed, outcome } = await lookedUp(({ operation }, text) => {
      const { data, ...envelope } = JSON.parse(text);
      const rows = data.list.filter(
        ({ clientOid }: { clientOid: string }) => !clientOid.startsWith('dh'),
      );
      if (operation !== endless)
        return JSON.stringify({ ...envelope, data: { ...data, list: rows } });
      const [row = rowOf(envelope.requestTime)] = rows;
      const list = [{ ...row, orderId: String(next--), clientOid: `other-${next}` }];
      return JSON.stringify({ ...envelope, data: { list, cursor: String(next) } });
    });
    expect([status, sent]).toEqual(['doubt', 1]);
    expect(listed).toBeLessThan(250);
    const lists = [{ list: endless, unread: expect.stringContaining('the list does not end') }];
    expect(outcome).toMatchObject({ lookup: { lists: expect.arrayContaining(lists) } });
  },
);

const rowOf = (time: number): object => ({
  orderId: '1',
  clientOid: 'other',
  category: 'USDT-FUTURES',
  symbol: 'ETHUSDT',
  orderType: 'limit',
  side: 'buy',
  price: '1',
  qty: '1',
  amount: '1',
  cumExecQty: '0',
  cumExecValue: '0',
  avgPrice: '0',
  timeInForce: 'gtc',
  orderStatus: 'live',
  posSide: 'long',
  holdMode: 'hedge_mode',
  stpMode: 'none',
  reduceOnly: 'NO',
  feeDetail: [],
  cancelReason: '',
  execType: 'normal',
  createdTime: String(time),
  updatedTime: String(time),
});
