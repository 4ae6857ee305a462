/** An exchange that repeats what we sent: no secret is passed on in a response, even a successful one. */
import { expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient } from '../../src/client/client.ts';
import { DoubtError, type Transport } from '../../src/api/exchange.ts';

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
