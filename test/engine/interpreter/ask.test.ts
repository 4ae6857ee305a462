/**
 * With `on-doubt: ask` a write is sent once, whatever the response says, even if it is wrong. Only
 * a rate limit that the lists confirm is waited out.
 */
import { describe, expect, test } from 'vitest';
import type { Transport, WireResponse } from '../../../src/exchange/api/exchange.ts';
import type { OperationName } from '../../../src/exchange/api/operations/index.ts';
import {
  live,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import type { Destination, Entry } from '../../../src/engine/journal/entry.ts';
import { limitOrder } from '../../support/order.ts';
import { answer } from '../../support/scripted.ts';

const order = playbookFrom(`
playbook: 1
name: order
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
`);

const sub = playbookFrom(`
playbook: 1
name: sub
steps:
  - { id: sub, uses: account/create-sub, with: { username: alpha } }
`);

/** The exchange's response; `whole` is the true one. */
const answers: readonly (readonly [string, (whole: WireResponse, now: number) => WireResponse])[] =
  [
    ['429', (_, now) => answer({ code: '429' }, { status: 429, requestTime: now })],
    ['429 and a page', () => answer('<html>Slow down</html>', { status: 429 })],
    ['429 and nothing', () => answer('', { status: 429, headers: { 'retry-after': '1' } })],
    ['429 and 45001', (_, now) => answer({ code: '45001' }, { status: 429, requestTime: now })],
    ['429 and 40762', (_, now) => answer({ code: '40762' }, { status: 429, requestTime: now })],
    ['429 and half of the answer', (whole) => ({ ...halved(whole), status: 429 })],
    ['429 and the answer', (whole) => ({ ...whole, status: 429 })],
    ['200 and a rate limit', (_, now) => answer({ code: '25004' }, { requestTime: now })],
    ['40008', (_, now) => answer({ code: '40008' }, { status: 400, requestTime: now })],
    [
      '40008 of an hour ago',
      (_, now) => answer({ code: '40008' }, { requestTime: now - 3_600_000 }),
    ],
    [
      '40008 of in an hour',
      (_, now) => answer({ code: '40008' }, { requestTime: now + 3_600_000 }),
    ],
    ['500', (_, now) => answer({ code: '50000' }, { status: 500, requestTime: now })],
    ['half of the answer', halved],
  ];

function halved(whole: WireResponse): WireResponse {
  return { ...whole, body: whole.body.subarray(0, whole.body.length / 2) };
}

/** Gives the first write this response, executed or not, and counts how often it is sent. */
function answering(
  harness: Harness,
  operation: OperationName,
  { isExecuted, say }: { isExecuted: boolean; say: (typeof answers)[number][1] },
  sent: { times: number },
): (transport: Transport) => Transport {
  const list = 'market/list-discount-rates';
  return (transport) => async (request, signal) => {
    if (request.operation !== operation) return transport(request, signal);
    sent.times += 1;
    const read = { ...request, operation: list, method: 'GET', body: '' } as const;
    const path = '/api/v3/market/discount-rate';
    const whole = await transport(isExecuted ? request : { ...read, path }, signal);
    return say(whole, harness.clock.now());
  };
}

const subsOf = (harness: Harness): number => {
  const accounts: readonly { parent?: string }[] = Object(
    harness.sandbox.control('GET', 'accounts'),
  );
  const { uid } = harness.sandbox.accounts.hedge;
  return accounts.filter(({ parent }) => parent === uid).length;
};

const onLive: Destination = { profile: 'main', target: 'live', host: 'x', keyFingerprint: '0000' };
const isLimit = (name: string): boolean => ['429', '200 and a rate limit'].includes(name);

describe.each([true, false])('a write that is executed: %s', (isExecuted) => {
  const final = answers.filter(([name]) => isExecuted || !isLimit(name));
  test.each(final)('an order whose response is %s is sent once', async (_, say) => {
    const harness = await openHarness();
    harness.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
    const sent = { times: 0 };
    const wrap = answering(harness, 'futures/place-order', { isExecuted, say }, sent);
    const ends = [];
    for (let life = 1; life <= 2; life++) {
      const { status, exit } = await live(harness, order, { onDoubt: 'ask', wrap });
      ends.push(`${status} ${exit}`);
    }
    const end = isExecuted ? 'done 0' : 'doubt 6';
    expect([sent.times, ends]).toEqual([1, [end, end]]);
    const placed = [...(await ordersPlaced(harness))].filter(([id]) => id.startsWith('dh'));
    expect(placed.map(([, times]) => times)).toEqual(isExecuted ? [1] : []);
  });

  test.each(answers)('a sub-account whose response is %s is sent once', async (_, say) => {
    const harness = await openHarness();
    const before = subsOf(harness);
    const sent = { times: 0 };
    const wrap = answering(harness, 'account/create-sub', { isExecuted, say }, sent);
    for (let life = 1; life <= 2; life++) {
      const { status, exit } = await live(harness, sub, { onDoubt: 'ask', wrap });
      expect([status, exit]).toEqual(['doubt', 6]);
    }
    expect([sent.times, subsOf(harness) - before]).toEqual([1, isExecuted ? 1 : 0]);
  });
});

describe.each(answers.filter(([name]) => isLimit(name)))(
  'under ask, an order that was not executed, with the response %s',
  (_, say) => {
    test('is sent again once both lists prove it, and is not in doubt when that repeats', async () => {
      const harness = await openHarness();
      const sent = { times: 0 };
      const wrap = answering(harness, 'futures/place-order', { isExecuted: false, say }, sent);
      const began = harness.clock.monotonic();
      const entries: Entry[] = [];
      const onEntry = (entry: Entry): void => void entries.push(entry);
      const { status, exit } = await live(harness, order, { onDoubt: 'ask', wrap, onEntry });
      expect([status, exit, sent.times]).toEqual(['stopped', 1, 3]);
      const settled = entries.find(({ kind }) => kind === 'settled');
      expect(settled).toHaveProperty('outcome', {
        kind: 'failed',
        code: 'unavailable',
        exit: 1,
        message: expect.stringMatching(
          /it was sent 3 times, and no list shows it; nothing was executed$/,
        ),
      });
      expect(harness.clock.monotonic() - began).toBeGreaterThan(3 * 40_000);
      expect(await live(harness, order, { onDoubt: 'ask' })).toMatchObject({ status: 'done' });
      const placed = [...(await ordersPlaced(harness))].filter(([id]) => id.startsWith('dh'));
      expect(placed.map(([, times]) => times)).toEqual([1]);
    });

    test('is in doubt while the lists have shown no order', async () => {
      const harness = await openHarness();
      const sent = { times: 0 };
      const wrap = answering(harness, 'futures/place-order', { isExecuted: false, say }, sent);
      const end = await live(harness, order, { onDoubt: 'ask', wrap, destination: onLive });
      expect([end.status, end.exit, sent.times]).toEqual(['doubt', 6, 1]);
    });
  },
);

test('under resend a complete rate limit response is waited out, and an HTML page causes a lookup', async () => {
  for (const [name, say] of answers.filter(([known]) => known.startsWith('429'))) {
    const harness = await openHarness();
    const sent = { times: 0 };
    const wrap = (transport: Transport): Transport => {
      const first = answering(harness, 'futures/place-order', { isExecuted: false, say }, sent);
      const struck = first(transport);
      return (request, signal) => (sent.times === 0 ? struck : counted)(request, signal);
      async function counted(...given: Parameters<Transport>): Promise<WireResponse> {
        if (given[0].operation === 'futures/place-order') sent.times += 1;
        return transport(...given);
      }
    };
    const began = harness.clock.monotonic();
    const { status } = await live(harness, order, { onDoubt: 'resend', wrap });
    const took = harness.clock.monotonic() - began;
    expect([name, status, sent.times]).toEqual([name, 'done', 2]);
    expect([name, took > 40_000]).toEqual([name, name !== '429']);
  }
});
