/** The gateway's steps, one by one and in their order, without a world behind it. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/base/secret.ts';
import { operationNames, operationOf } from '../../src/exchange/api/operations/index.ts';
import { answerOf, type GatewayPorts } from '../../src/sandbox/gateway.ts';
import { isWrite } from '../../src/sandbox/gateway/call.ts';
import type { KeyRecord } from '../../src/sandbox/gateway/api-keys.ts';
import type { RawRequest } from '../../src/sandbox/gateway/request.ts';
import { Refusal } from '../../src/sandbox/refusal.ts';
import { throttle } from '../../src/sandbox/gateway/throttle.ts';
import { defaultConfig } from '../../src/sandbox/world/world-settings.ts';
import { marketOrder, opened, signed, unsigned, type Twist } from './support.ts';

const readCode = '40109';
const now = 1_763_700_000_000;
const signer = {
  apiKey: new Secret('key-of-the-test'),
  secretKey: new Secret('secret-of-the-test'),
  passphrase: new Secret('passphrase'),
};
const key: KeyRecord = {
  uid: '42',
  apiKey: signer.apiKey.reveal(),
  secretKey: signer.secretKey.reveal(),
  passphrase: signer.passphrase.reveal(),
  permissions: ['account-read', 'account-write', 'trade-read', 'trade-write', 'agent'],
  environment: 'live',
};

interface Received {
  readonly name: string;
  readonly input: unknown;
}

/** A gateway with one key, which remembers what it lets through. */
function gateway(changes: Partial<GatewayPorts> = {}, record: Partial<KeyRecord> = {}) {
  const received: Received[] = [];
  const own = { ...key, ...record };
  const ports: GatewayPorts = {
    seed: 1,
    throttle: throttle(),
    monotonic: 0,
    clocks: { wall: now, business: now },
    config: defaultConfig(true),
    keyOf: (apiKey) => (apiKey === own.apiKey ? own : undefined),
    read: (name, input) => {
      received.push({ name, input });
      throw new Refusal(readCode); // no world here: that it came so far is enough
    },
    write: ({ name, input }) => {
      received.push({ name, input });
      return 'written';
    },
    ...changes,
  };
  const ask = (request: RawRequest) => opened(answerOf(request, ports).response);
  return { ask, received, ports };
}

const order = marketOrder;

const place = (twist: Twist = {}, input: object = order, timestamp = now): RawRequest =>
  signed(signer, 'futures/place-order', { input, timestamp, twist });

const without = (...names: string[]): Twist => ({
  headers: Object.fromEntries(names.map((name) => [name, undefined])),
});

describe('each check has its code', () => {
  test.each<[string, RawRequest, string, number]>([
    ['no such path', place({ path: '/api/v2/nothing' }), '40404', 404],
    ['a path with dots', place({ path: '/api/v2/../v2/mix/order/place-order' }), '40404', 404],
    ['the other method', place({ method: 'GET' }), '40405', 405],
    ['no key', place(without('access-key')), '40001', 400],
    ['no signature', place(without('access-sign')), '40002', 400],
    ['no timestamp', place(without('access-timestamp')), '40005', 400],
    ['no passphrase', place(without('access-passphrase')), '40011', 400],
    ['a malformed timestamp', place({ headers: { 'access-timestamp': '1e12' } }), '40005', 400],
    ['a malformed key', place({ headers: { 'access-key': ' x' } }), '40006', 400],
    ['an unknown key', place({ headers: { 'access-key': 'nobody' } }), '40037', 400],
    ['a timestamp too old', place({}, order, now - 30_001), '40008', 400],
    ['a timestamp too new', place({}, order, now + 30_001), '40008', 400],
    ['a wrong passphrase', place({ headers: { 'access-passphrase': 'no' } }), '40012', 400],
    ['a wrong signature', place({ headers: { 'access-sign': 'AAAA' } }), '40009', 400],
    ['a demo request', place({ headers: { paptrading: '1' } }), '40099', 400],
    ['another content type', place({ headers: { 'content-type': 'text/plain' } }), '40007', 400],
    ['no JSON', place({ body: '{' }), '40409', 400],
    ['JSON that is not an object', place({ body: '[]' }), '40409', 400],
    ['an empty body', place({ body: '' }), '40409', 400],
    ['a key twice', place({ body: '{"size":"1","size":"2"}' }), '40409', 400],
    ['deep JSON', place({ body: `${'['.repeat(1000)}${']'.repeat(1000)}` }), '40409', 400],
    ['a prototype in the body', place({ body: '{"__proto__":{"size":"1"}}' }), '40034', 400],
    ['a number where a text belongs', place({}, { ...order, size: 0.01 }), '40017', 400],
    ['a missing parameter', place({}, { ...order, size: undefined }), '40019', 400],
    ['an empty parameter is a missing one', place({}, { ...order, size: '' }), '40019', 400],
    ['a limit order without price', place({}, { ...order, orderType: 'limit' }), '40019', 400],
    ['an unknown word', place({}, { ...order, side: 'hold' }), '40020', 400],
    ['a decimal with an exponent', place({}, { ...order, size: '1e3' }), '40808', 400],
    ['a decimal with blanks', place({}, { ...order, size: ' 1' }), '40808', 400],
    [
      'a clientOid that is too long',
      place({}, { ...order, clientOid: 'x'.repeat(65) }),
      '40305',
      400,
    ],
    ['a margin coin in lower case', place({}, { ...order, marginCoin: 'usdt' }), '40778', 400],
  ])('%s', (_what, request, code, status) => {
    const { ask, received } = gateway();
    expect(ask(request)).toMatchObject({ code, status, data: null, requestTime: now });
    expect(received).toEqual([]);
  });

  test('an unknown key, a frozen one and one without permission are refused', () => {
    expect(gateway({}, { addresses: ['10.0.0.1'] }).ask(place()).code).toBe('40018');
    expect(gateway({}, { isFrozen: true }).ask(place()).code).toBe('40024');
    expect(gateway({}, { permissions: ['trade-read'] }).ask(place()).code).toBe('40014');
    const create = signed(signer, 'account/create-sub', {
      input: { username: 'alpha' },
      timestamp: now,
    });
    expect(gateway({}, { isSub: true }).ask(create).code).toBe('40068');
  });

  test('with split families a key of the other family is refused', () => {
    const config = defaultConfig(true);
    const split = { ...config, quirks: { ...config.quirks, splitFamilies: true } };
    const open = signed(signer, 'order/list-open', { timestamp: now });
    expect(gateway({ config: split }).ask(open).code).toBe('40084');
    expect(gateway({ config: split }, { family: 'unified' }).ask(place()).code).toBe('40085');
    expect(gateway({ config: split }).ask(place()).code).toBe('00000');
  });
});

test('the earlier of two failed checks is reported', () => {
  const { ask } = gateway();
  const wrongs: readonly [string, Twist][] = [
    ['40405', { method: 'PUT' }],
    ['40001', { ...without('access-key', 'access-sign') }],
    ['40008', { headers: { 'access-timestamp': '1', 'access-passphrase': 'no' } }],
    ['40012', { headers: { 'access-passphrase': 'no', 'access-sign': 'no' } }],
    ['40009', { headers: { 'access-sign': 'no', 'content-type': 'text/plain' } }],
    ['40007', { headers: { 'content-type': 'text/plain' }, body: '{' }],
  ];
  for (const [code, twist] of wrongs) expect(ask(place(twist)).code).toBe(code);
  expect(ask(place({}, { ...order, size: 1, side: 'hold', symbol: undefined })).code).toBe('40017');
});

describe('signatures', () => {
  const query = 'symbol=%24DEGEN%2CUSDT&category=SPOT';
  const list = (signedQuery: string) =>
    signed(signer, 'order/list-open', { timestamp: now, twist: { query, signedQuery } });

  test('over the query as sent and over its decoded form are accepted', () => {
    const { ask } = gateway();
    expect(ask(list(query)).code).toBe(readCode);
    expect(ask(list('symbol=$DEGEN,USDT&category=SPOT')).code).toBe(readCode);
  });

  test('over a reordered query are refused', () => {
    expect(gateway().ask(list('category=SPOT&symbol=%24DEGEN%2CUSDT')).code).toBe('40009');
  });

  test('over a query with invalid escapes match only its sent form', () => {
    const broken = { query: 'symbol=%ZZ', signedQuery: 'symbol=%ZZ' };
    const request = signed(signer, 'order/list-open', { timestamp: now, twist: broken });
    expect(gateway().ask(request).code).toBe('40020');
  });

  test('cover the exact bytes of the body', () => {
    const body = JSON.stringify(order);
    const request = place({ body });
    expect(gateway().ask(request).code).toBe('00000');
    expect(gateway().ask({ ...request, body: Buffer.from(`${body} `) }).code).toBe('40009');
  });

  test('of an RSA key are verified with its public key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = { type: 'pkcs8', format: 'pem' } as const;
    const rsa = { ...signer, secretKey: new Secret(privateKey.export(pem).toString()) };
    const record = {
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    };
    const request = signed(rsa, 'futures/place-order', { input: order, timestamp: now });
    expect(gateway({}, record).ask(request).code).toBe('00000');
    const forged = { ...request.headers, 'access-sign': Buffer.from('no').toString('base64') };
    expect(gateway({}, record).ask({ ...request, headers: forged }).code).toBe('40009');
  });

  test('follow the published recipe', () => {
    const body = JSON.stringify(order);
    const recipe = createHmac('sha256', signer.secretKey.reveal())
      .update(`${now}POST/api/v2/mix/order/place-order${body}`)
      .digest('base64');
    const headers = { 'access-sign': recipe };
    expect(gateway().ask(place({ body, headers })).code).toBe('00000');
  });
});

test('with an accelerated clock, a read may be late by the same factor, a write may not', () => {
  const clocks = { wall: now, business: now + 86_400_000, speed: 60 };
  const late = clocks.business - 29 * 60_000;
  const codeOfRead = (timestamp: number): string =>
    gateway({ clocks }).ask(signed(signer, 'order/list-open', { timestamp })).code;
  expect(codeOfRead(late)).toBe(readCode);
  expect(codeOfRead(late - 120_000)).toBe('40008');
  expect(gateway({ clocks }).ask(place({}, order, late)).code).toBe('40008');
});

test('in a world with another time are accepted with either clock', () => {
  const clocks = { wall: now, business: now + 86_400_000 };
  expect(gateway({ clocks }).ask(place({}, order, now)).code).toBe('00000');
  expect(gateway({ clocks }).ask(place({}, order, now + 86_400_000)).code).toBe('00000');
  expect(gateway({ clocks }).ask(place({}, order, now + 43_200_000)).code).toBe('40008');
});

describe('parameters', () => {
  test('are normalized in case, and empty or unknown ones are omitted', () => {
    const { ask, received } = gateway();
    const input = {
      ...order,
      symbol: 'btcusdt',
      productType: 'usdt-futures',
      side: 'Buy',
      force: 'GTC',
      presetStopLossPrice: '',
      somethingNew: 7,
    };
    expect(ask(place({}, input)).code).toBe('00000');
    expect(received).toEqual([{ name: 'futures/place-order', input: { ...order, force: 'gtc' } }]);
  });

  test('must not occur twice in a query', () => {
    const twist = { query: 'limit=5&limit=6' };
    const request = signed(signer, 'order/list-open', { timestamp: now, twist });
    expect(gateway().ask(request).code).toBe('40020');
  });

  test('with a page size out of range are refused, or clamped if configured', () => {
    const ask = (limit: string, pageOverflow: 'reject' | 'clamp') => {
      const { ask: send, received } = gateway({ config: { ...defaultConfig(true), pageOverflow } });
      const input = { productType: 'USDT-FUTURES', limit };
      const { code } = send(signed(signer, 'futures/list-bills', { input, timestamp: now }));
      return received[0]?.input ?? code;
    };
    expect(ask('101', 'reject')).toBe('40053');
    expect(ask('0', 'reject')).toBe('40020');
    expect(ask('ten', 'reject')).toBe('40020');
    expect(ask('100', 'reject')).toEqual({ productType: 'USDT-FUTURES', limit: '100' });
    expect(ask('101', 'clamp')).toEqual({ productType: 'USDT-FUTURES', limit: '100' });
    expect(ask('0', 'clamp')).toEqual({ productType: 'USDT-FUTURES', limit: '1' });
    expect(ask('ten', 'clamp')).toBe('40020');
  });

  test('of v3 paths are refused under the unified code', () => {
    const request = signed(signer, 'order/list-open', {
      input: { category: 'STOCKS' },
      timestamp: now,
    });
    expect(gateway().ask(request).code).toBe('25200');
  });
});

describe('limits', () => {
  const times = (count: number, act: () => { code: string }): string[] =>
    Array.from({ length: count }, () => act().code);

  test('use a sliding second of the monotonic clock', () => {
    let monotonic = 0;
    const shared = throttle();
    const ask = () => gateway({ throttle: shared, monotonic }).ask(place());
    expect(times(10, ask)).toEqual(Array.from({ length: 10 }, () => '00000'));
    expect(ask()).toMatchObject({ code: '429', status: 429, data: null });
    monotonic = 999;
    expect(ask().code).toBe('429');
    monotonic = 1_000; // the ten of a second ago have left the window
    expect(times(11, ask).filter((code) => code === '00000')).toHaveLength(10);
  });

  test('of a leader are tighter', () => {
    const { ask } = gateway({}, { leads: ['BTCUSDT'] });
    expect(times(2, () => ask(place()))).toEqual(['00000', '429']);
  });

  test('are not used up by unknown keys, but by invalid requests', () => {
    const { ask } = gateway();
    for (let n = 0; n < 20; n++) ask(place({ headers: { 'access-sign': 'AAAA' } }));
    for (let n = 0; n < 10; n++) expect(ask(place({ body: '{' })).code).toBe('40409');
    expect(ask(place()).code).toBe('429');
  });

  test('of public paths are counted by address', () => {
    const { ask } = gateway();
    const rates = (ip: string) => () => ask(unsigned('market/list-discount-rates', {}, ip));
    expect(times(21, rates('1.1.1.1')).at(-1)).toBe('429');
    expect(rates('2.2.2.2')().code).toBe(readCode);
  });

  test('can be disabled', () => {
    const { ask } = gateway({ config: defaultConfig(false) });
    expect(new Set(times(100, () => ask(place())))).toEqual(new Set(['00000']));
  });

  test('report the remaining budget', () => {
    const { ports } = gateway();
    const left = () => answerOf(place(), ports).response.headers['x-mbx-used-remain-limit'];
    expect([left(), left(), left()]).toEqual(['9', '8', '7']);
  });
});

test('exactly the operations with an effect are logged', () => {
  const writes = operationNames.filter(isWrite);
  expect(writes).toEqual(operationNames.filter((name) => operationOf(name).effect !== 'read'));
  expect(writes).toHaveLength(8);
});
