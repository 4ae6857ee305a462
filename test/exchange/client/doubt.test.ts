/** Writes and faults: refused only by listed codes, resent only with proof, otherwise in doubt. */
import { describe, expect, test } from 'vitest';
import { hour } from '../../../src/base/clock.ts';
import { errorTable, verdictOf } from '../../../src/exchange/api/errors.ts';
import {
  DoubtError,
  RefusedError,
  TransportError,
  UnavailableError,
  type WireRequest,
  type WireResponse,
} from '../../../src/exchange/api/exchange.ts';
import type { Input } from '../../../src/exchange/api/operations/index.ts';
import { answer, scripted, startOfTest, success } from '../../support/scripted.ts';

const order: Input<'futures/place-order'> = {
  symbol: 'BTCUSDT',
  productType: 'USDT-FUTURES',
  marginMode: 'crossed',
  marginCoin: 'USDT',
  size: '0.01',
  price: '30000',
  side: 'buy',
  orderType: 'limit',
  clientOid: 'ours-1',
};
const placed = success({ orderId: '1', clientOid: 'ours-1' });
const created = success({
  username: 'alpha@x.example',
  subUid: '7',
  status: 'normal',
  note: '',
  createdTime: '1',
  updatedTime: '1',
});

type Serve = (nth: number) => WireResponse;

/** Both kinds of writes, with their requests and successful responses. */
const writes = [
  {
    name: 'futures/place-order',
    good: placed,
    send: (serve: Serve, resend = false) => {
      const { client, requests } = scripted((_, nth) => serve(nth));
      return { requests, outcome: settled(client.call('futures/place-order', order, { resend })) };
    },
  },
  {
    name: 'account/create-sub',
    good: created,
    send: (serve: Serve, resend = false) => {
      const { client, requests } = scripted((_, nth) => serve(nth));
      const input = { username: 'alpha' };
      return { requests, outcome: settled(client.call('account/create-sub', input, { resend })) };
    },
  },
] as const;

async function settled(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'done',
    (error: unknown) => error,
  );
}

const thrown =
  (error: Error): Serve =>
  () => {
    throw error;
  };
const always =
  (...given: Parameters<typeof answer>): Serve =>
  () =>
    answer(...given);
const ambiguous = [...errorTable.values()]
  .filter((row) => verdictOf(row.class) === 'unknown')
  .map(({ code }): [string, Serve] => [`code ${code}`, always({ code }, { status: 400 })]);

const html = { 'content-type': 'text/html' };
const refusal = '{"code":"40762","msg":"no","requestTime":1795000000000,"data":null}';
const twice = refusal.replace('{', '{"code":"00000",');

const doubts: readonly [string, Serve][] = [
  ...ambiguous,
  ['a code nobody told us about', always({ code: '99999' }, { status: 400 })],
  ['such a code with HTTP 200', always({ code: '99999' })],
  ['an empty code', always({ code: '' })],
  ['success with HTTP 400', always({ code: '00000', data: {} }, { status: 400 })],
  ['success with HTTP 429', always({ code: '00000', data: {} }, { status: 429 })],
  ['success with HTTP 500', always({ code: '00000', data: {} }, { status: 500 })],
  ['a refusal with HTTP 500', always({ code: '40009' }, { status: 500 })],
  ['too many requests with HTTP 503', always({ code: '429' }, { status: 503 })],
  ['success with data and a refusal', always({ code: '40762', data: { orderId: '1' } })],
  ['a refusal with HTTP 429', always({ code: '40762' }, { status: 429 })],
  ['an unclear code with HTTP 429', always({ code: '45001' }, { status: 429 })],
  ['a page with HTTP 429', always('<html>Slow down</html>', { status: 429 })],
  ['nothing with HTTP 429', always('', { status: 429 })],
  ['half a success with HTTP 429', always('{"code":"00000","msg":"success","da', { status: 429 })],
  ['HTTP 429 without envelope', always('{"error":"rate limit"}', { status: 429 })],
  ['a refusal labelled as a page', always({ code: '40762' }, { headers: html })],
  ['a rate limit labelled as a page', always({ code: '429' }, { status: 429, headers: html })],
  ['a refusal without a time', always('{"code":"40762","msg":"","data":null}', { status: 400 })],
  ['a refusal of no time', always({ code: '40762' }, { status: 400, requestTime: 0 })],
  ['a refusal before all time', always({ code: '40762' }, { status: 400, requestTime: -5 })],
  ['a refusal within a millisecond', always({ code: '40762' }, { requestTime: 1.5 })],
  [
    'a refusal whose code is a number',
    always('{"code":40762,"msg":"","requestTime":1,"data":null}'),
  ],
  ['a refusal given twice', always(`${refusal}${refusal}`, { status: 400 })],
  ['a refusal with another beside it', always(twice, { status: 400 })],
  ['HTTP 502 with a page', always('<html>Bad gateway</html>', { status: 502 })],
  ['HTTP 408', always({ code: '40017' }, { status: 408 })],
  ['HTTP 401 with a page', always('<html>Log in</html>', { status: 401 })],
  ['HTTP 404 with a page', always('<html>Not found</html>', { status: 404 })],
  ['a redirect', always('', { status: 302, headers: { location: 'https://elsewhere' } })],
  ['HTTP 200 with a page', always('<html>Welcome</html>')],
  ['half an answer', always('{"code":"00000","msg":"success","requestTime":1,"da')],
  ['nothing', always('')],
  ['a code that is a number', always('{"code":0,"msg":"","requestTime":1,"data":{}}')],
  ['a code given twice', always('{"code":"1","code":"00000","msg":"","requestTime":1,"data":{}}')],
  ['JSON a thousand deep', always('['.repeat(1_000) + ']'.repeat(1_000))],
  ['bytes that are not text', () => ({ status: 200, headers: {}, body: new Uint8Array([0xff]) })],
  ['a connection that broke', thrown(new TransportError('ECONNRESET', 'maybe'))],
  ['a transport that failed', thrown(new Error('a bug'))],
];

describe.each(writes)('$name', ({ send, good }) => {
  test.each(doubts)('is in doubt after %s, and is not sent again', async (_, serve) => {
    const { requests, outcome } = send(serve);
    expect(await outcome).toBeInstanceOf(DoubtError);
    expect(requests).toHaveLength(1);
  });

  const refusals = [...errorTable.values()].filter((row) => verdictOf(row.class) === 'refused');
  test.each(refusals)('is refused by $code ($meaning)', async ({ code, class: kind }) => {
    for (const status of [200, 400]) {
      const { requests, outcome } = send(always({ code }, { status }));
      expect(await outcome).toMatchObject({ answer: { code, status }, class: kind });
      expect(await outcome).toBeInstanceOf(RefusedError);
      expect(requests).toHaveLength(1);
    }
  });

  test.each<[string, Serve]>([
    ['nothing could be sent', thrown(new TransportError('ECONNREFUSED', 'no'))],
    ['HTTP 429 says so', always({ code: '429' }, { status: 429 })],
    ['a code of too many requests', always({ code: '429' }, { status: 400 })],
    ['its timestamp was refused', always({ code: '40008' }, { status: 400 })],
  ])('may be sent again with a new signature when %s', async (_, first) => {
    const { requests, outcome } = send((nth) => (nth <= 2 ? first(nth) : good), true);
    expect(await outcome).toBe('done');
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });

  const notExecuted = [...errorTable.values()].filter(
    (row) => verdictOf(row.class) === 'not-executed',
  );
  test.each(notExecuted)(
    'is in doubt after $code unless it may be sent again',
    async ({ code }) => {
      for (const status of [200, 400, 429]) {
        const { requests, outcome } = send(always({ code }, { status }));
        expect(await outcome).toBeInstanceOf(DoubtError);
        expect(requests).toHaveLength(1);
      }
    },
  );

  test('that was sent once is not sent again, even if earlier attempts were not sent', async () => {
    const { requests, outcome } = send((nth) => {
      if (nth === 1) throw new TransportError('ECONNREFUSED', 'no');
      return answer({ code: '429' }, { status: 429 });
    });
    expect(await outcome).toBeInstanceOf(DoubtError);
    expect(requests).toHaveLength(2);
  });

  test('is in doubt when a later attempt is in doubt', async () => {
    const serve: Serve = (nth) =>
      nth === 1 ? answer({ code: '429' }, { status: 429 }) : answer({ code: '45001' });
    const { requests, outcome } = send(serve, true);
    expect(await outcome).toBeInstanceOf(DoubtError);
    expect(requests).toHaveLength(2);
  });

  test('waits as long as the exchange asks, and was not executed when the timeout is over', async () => {
    const busy = always({ code: '429' }, { status: 429, headers: { 'retry-after': '7' } });
    const { requests, outcome } = send(busy, true);
    expect(String(await outcome)).toMatch(
      /: too many requests \(HTTP 429\): the exchange asks to wait 7\.0 s, beyond the timeout of 30 s; nothing was executed$/,
    );
    expect(requests).toHaveLength(5); // at 0, 7, 14, 21 and 28 s
  });

  test('stops after three refused timestamps and suggests setting the clock', async () => {
    const { requests, outcome } = send(always({ code: '40008' }, { status: 400 }), true);
    expect(await outcome).toMatchObject({ class: 'clock', exit: 4 });
    expect(requests).toHaveLength(3);
  });

  test('stops after five attempts that could not be sent', async () => {
    const { requests, outcome } = send(thrown(new TransportError('ECONNREFUSED', 'no')));
    expect(await outcome).toBeInstanceOf(UnavailableError);
    expect(String(await outcome)).toMatch(
      /: nothing could be sent: ECONNREFUSED; nothing was executed$/,
    );
    expect(requests).toHaveLength(5);
  });
});

test('an order with another clientOid in its response is in doubt', async () => {
  const { client } = scripted(() => success({ orderId: '1', clientOid: 'theirs' }));
  const outcome = await settled(client.call('futures/place-order', order));
  expect(outcome).toBeInstanceOf(DoubtError);
  expect(outcome).toMatchObject({ because: 'the response has another clientOid' });
});

test('an order without orderId is done: older reduce-only orders were canceled for it', async () => {
  const { client } = scripted(() => success({ clientOid: 'ours-1' }));
  expect(await client.call('futures/place-order', order)).toEqual({ clientOid: 'ours-1' });
});

describe('a write that sets a value', () => {
  const input = { productType: 'USDT-FUTURES', leverage: '5' } as const;

  test('is sent again after any fault', async () => {
    const { client, requests } = scripted((_, nth) =>
      nth === 1 ? answer('<html>', { status: 502 }) : success('success'),
    );
    expect(await client.call('futures/set-all-leverage', input)).toBe('success');
    expect(requests).toHaveLength(2);
  });

  test('that may have been executed is in doubt when no further attempt can be sent', async () => {
    const { client } = scripted((_, nth) => {
      throw new TransportError('broken', nth === 1 ? 'maybe' : 'no');
    });
    const outcome = await settled(client.call('futures/set-all-leverage', input));
    expect(outcome).toBeInstanceOf(DoubtError);
  });

  test.each<[string, Serve]>([
    ['is refused', always({ code: '40014' }, { status: 400 })],
    ['is interrupted before it is sent', thrown(new TransportError('given up', 'no'))],
  ])('that may have been executed stays in doubt when the next attempt %s', async (_, next) => {
    const giveUp = new AbortController();
    const { client } = scripted((_request, nth) => {
      if (nth === 1) return answer('<html>', { status: 502 });
      giveUp.abort(new Error('stopped'));
      return next(nth);
    });
    const options = { signal: giveUp.signal };
    const outcome = await settled(client.call('futures/set-all-leverage', input, options));
    expect(outcome).toBeInstanceOf(DoubtError);
    expect(String(outcome)).toMatch(/HTTP 502; a later attempt failed: “/);
  });

  test('stays in doubt when the next attempt cannot be recorded', async () => {
    const { client, requests } = scripted(() => answer('<html>', { status: 502 }));
    const outcome = await settled(
      client.call('futures/set-all-leverage', input, {
        beforeSend: async ({ attempt }) => {
          if (attempt === 2) throw new Error('no one could be notified');
        },
      }),
    );
    expect(outcome).toBeInstanceOf(DoubtError);
    expect(requests).toHaveLength(1);
  });

  test('is unavailable when nothing was ever sent', async () => {
    const { client } = scripted(() => {
      throw new TransportError('broken', 'no');
    });
    const outcome = await settled(client.call('futures/set-all-leverage', input));
    expect(outcome).toBeInstanceOf(UnavailableError);
  });
});

test('canceling during a write leaves it in doubt; before it, nothing was sent', async () => {
  const giveUp = new AbortController();
  const { client, requests } = scripted(async () => {
    giveUp.abort(new Error('stopped'));
    throw new TransportError('given up', 'maybe');
  });
  const options = { signal: giveUp.signal };
  const first = await settled(client.call('futures/place-order', order, options));
  expect(first).toBeInstanceOf(DoubtError);
  const second = await settled(client.call('futures/place-order', order, options));
  expect(second).toEqual(new Error('stopped'));
  expect(requests).toHaveLength(1);
});

test('the fence is 30 s after the signing time of the last attempt, not the first', async () => {
  const { client, clock, requests } = scripted((_, nth) => {
    clock.advance(40_000);
    return nth === 1 ? answer({ code: '429' }, { status: 429 }) : placed;
  });
  const signed: number[] = [];
  await client.call('futures/place-order', order, {
    timeoutMs: 120_000,
    resend: true,
    beforeSend: async ({ signedAt }) => {
      signed.push(signedAt);
    },
  });
  expect(requests.map(({ headers }) => Number(headers['ACCESS-TIMESTAMP']))).toEqual(signed);
  expect(signed[0]).toBe(startOfTest);
  expect(signed[1]).toBeGreaterThan(startOfTest + 40_000);
});

test('a request whose signature expired before it was sent is signed again', async () => {
  const { client, clock, requests } = scripted(() => placed);
  const signedAt: number[] = [];
  await client.call('futures/place-order', order, {
    timeoutMs: 120_000,
    beforeSend: async (sending) => {
      signedAt.push(sending.signedAt);
      if (signedAt.length === 1) clock.advance(40_000); // the machine sleeps
    },
  });
  expect(signedAt).toHaveLength(2);
  expect(requests.map(({ headers }) => headers['ACCESS-TIMESTAMP'])).toEqual([String(signedAt[1])]);
  expect(Number(signedAt[1]) - Number(signedAt[0])).toBeGreaterThanOrEqual(40_000);
});

test.each([
  ['Tue 24 Nov 2026 05:59:59.999', 'refused'],
  ['Tue 24 Nov 2026 06:00', 'in doubt'],
  ['Thu 26 Nov 2026 08:59:59.999', 'in doubt'],
  ['Thu 26 Nov 2026 09:00', 'refused'],
  ['Mon 23 Nov 2026 07:00', 'refused'],
  ['Fri 27 Nov 2026 07:00', 'refused'],
])('a rejected value counts as a refusal outside of deployments: %s', async (at, word) => {
  const requestTime = Date.parse(`${at} UTC`);
  for (const { send } of writes) {
    const { outcome: pending } = send(() =>
      answer({ code: '40808' }, { status: 400, requestTime }),
    );
    const outcome = await pending;
    expect(outcome).toBeInstanceOf(word === 'refused' ? RefusedError : DoubtError);
  }
  const { client } = scripted(() => answer({ code: '40808' }, { status: 400, requestTime }));
  const read = settled(client.call('futures/list-adl-ranks', { productType: 'USDT-FUTURES' }));
  expect(await read).toBeInstanceOf(RefusedError);
});

test('the time of a response alone does not end a deployment', async () => {
  const during = Date.parse('Tue 24 Nov 2026 07:00 UTC');
  const transport = async ({ operation }: WireRequest): Promise<WireResponse> =>
    operation === 'market/list-discount-rates'
      ? success([], during)
      : answer({ code: '40808' }, { status: 400, requestTime: during + 6 * hour });
  const { client } = scripted(() => placed, { transport });
  const outcome = await settled(client.call('futures/place-order', order));
  expect(outcome).toBeInstanceOf(DoubtError);
});
