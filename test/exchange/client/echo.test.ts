/** An exchange that repeats what we sent: no secret is passed on in a response, even a successful one. */
import { expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { Secret } from '../../../src/base/secret.ts';
import { createClient } from '../../../src/exchange/client/client.ts';
import {
  DoubtError,
  TransportError,
  UnavailableError,
  type Transport,
} from '../../../src/exchange/api/exchange.ts';

const secrets = {
  apiKey: new Secret('key-0123456789'),
  secretKey: new Secret('secret-0123456789'),
  passphrase: new Secret('phrase-0123456789'),
};

function clientOver(data: unknown): ReturnType<typeof createClient> {
  const transport: Transport = async (request) => {
    const answered = request.operation === 'market/list-discount-rates' ? [] : data;
    const envelope = { code: '00000', msg: 'success', requestTime: 1_000, data: answered };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(envelope)) };
  };
  const clock = standingClock(1_000);
  return createClient({ transport, clock, random: seededRandom(1), credentials: secrets });
}

test.each(Object.entries(secrets))('%s in a row of a read is masked', async (_name, secret) => {
  const client = clientOver([{ uid: '1', registerTime: '5', note: `x${secret.reveal()}y` }]);
  const rows = await client.call('agent/list-customers', {});
  expect(JSON.stringify(rows)).toContain('x•••y');
  expect(JSON.stringify(rows)).not.toContain(secret.reveal());
});

test('an order whose response repeats the passphrase is in doubt, and the doubt does not show it', async () => {
  const clientOid = 'dh1';
  const client = clientOver({ orderId: '1', clientOid: secrets.passphrase.reveal() });
  const placed = client.call('futures/place-order', {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '1',
    side: 'buy',
    orderType: 'market',
    clientOid,
  });
  const error: unknown = await placed.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DoubtError);
  expect(String(error)).not.toContain(secrets.passphrase.reveal());
});

test('a response whose bytes are created at each access is read unchanged', async () => {
  const envelope = { code: '00000', msg: 'success', requestTime: 1_000, data: [] };
  const text = Buffer.from(JSON.stringify(envelope));
  // Each at its own offset, among bytes of another request that contain a secret.
  const bytesAt = (at: number): Buffer => {
    const room = Buffer.alloc(4_096, secrets.passphrase.reveal());
    text.copy(room, at);
    return room.subarray(at, at + text.length);
  };
  let asked = 0;
  const transport: Transport = async () => ({
    status: 200,
    headers: {},
    get body() {
      asked += 1;
      return bytesAt(asked * 256);
    },
  });
  const clock = standingClock(1_000);
  const client = createClient({ transport, clock, random: seededRandom(1), credentials: secrets });
  expect(await client.call('agent/list-customers', {})).toEqual([]);
});

const time = {
  status: 200,
  headers: {},
  body: Buffer.from('{"code":"00000","msg":"success","requestTime":1000,"data":[]}'),
};

const signs = {
  plain: (signature: string) => signature,
  'as JSON escapes it': (signature: string) =>
    signature.replaceAll('/', String.raw`\/`).replaceAll('+', String.raw`\u002B`),
  'as an address': (signature: string) => encodeURIComponent(signature),
  'as HTML': (signature: string) =>
    signature.replaceAll('+', '&#x2B;').replaceAll('/', '&#47;').replaceAll('=', '&#61;'),
};

test.each(Object.entries(signs))('the signature of the request is masked: %s', async (_, spell) => {
  const sent: string[] = [];
  const transport: Transport = async (request) => {
    if (request.operation === 'market/list-discount-rates') return time;
    const signature = String(request.headers['ACCESS-SIGN']);
    sent.push(signature);
    const rows = `[{"uid":"1","registerTime":"5","note":"x${spell(signature)}y"}]`;
    const body = `{"code":"00000","msg":"${spell(signature)}","requestTime":1000,"data":${rows}}`;
    return { status: 200, headers: { 'x-seen': spell(signature) }, body: Buffer.from(body) };
  };
  const clock = standingClock(1_000);
  const client = createClient({ transport, clock, random: seededRandom(1), credentials: secrets });
  for (let uid = 0; uid < 20; uid++) {
    const rows = await client.call('agent/list-customers', { uid: String(uid) });
    expect(rows).toMatchObject([{ note: 'x•••y' }]);
  }
  expect(new Set(sent).size).toBe(20);
});

test('the signature is masked in the words of an error, and of a response that is no envelope', async () => {
  const sent: string[] = [];
  let isBroken = false;
  const transport: Transport = async ({ operation, headers }) => {
    if (operation === 'market/list-discount-rates') return time;
    const signature = String(headers['ACCESS-SIGN']);
    sent.push(signature);
    if (isBroken) throw new TransportError(`reset after ${signature}`, 'maybe');
    return { status: 502, headers: {}, body: Buffer.from(`{"code":"502","msg":"${signature}"}`) };
  };
  const clock = standingClock(1_000);
  const client = createClient({ transport, clock, random: seededRandom(1), credentials: secrets });
  for (const isNext of [false, true]) {
    isBroken = isNext;
    const error: unknown = await client.call('agent/list-customers', {}).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UnavailableError);
    for (let at: unknown = error; at instanceof Error; at = at.cause) {
      for (const signature of sent) expect(`${at.message} ${at.stack}`).not.toContain(signature);
    }
  }
  expect(sent.length).toBeGreaterThan(2);
});
