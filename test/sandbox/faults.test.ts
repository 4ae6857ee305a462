/** Faults as a client in this process meets them, and what they leave behind. */
import { beforeEach, describe, expect, test } from 'vitest';
import { standingClock, type StandingClock } from '../../src/base/clock.ts';
import { TransportError } from '../../src/exchange/api/exchange.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import { signatureOf } from '../../src/exchange/api/signature.ts';
import { encode } from '../../src/exchange/api/wire.ts';
import type { FaultAction } from '../../src/sandbox/faults/rules.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { opened, openingLimit } from './support.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
let clock: StandingClock;
let sandbox: Sandbox;

beforeEach(async () => {
  clock = standingClock(born);
  sandbox = await openSandbox({ clock, limits: false });
});

/** One request through the transport: a code, or what the transport says of the failure. */
async function send(name: OperationName, input: object): Promise<string> {
  const { apiKey, secretKey, passphrase } = sandbox.accounts.hedge;
  const { method, path, query, body } = encode(name, input);
  const timestamp = String(sandbox.now());
  const headers = {
    'ACCESS-KEY': apiKey.reveal(),
    'ACCESS-SIGN': signatureOf({ timestamp, method, path, query, body }, secretKey),
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-PASSPHRASE': passphrase.reveal(),
    'Content-Type': 'application/json',
  };
  const request = { operation: name, method, path, query, body, headers };
  try {
    const response = await sandbox.transport(request, new AbortController().signal);
    const type = response.headers['content-type'];
    if (type?.startsWith('application/json') !== true) return `${response.status} ${type}`;
    return opened(response).code;
  } catch (error) {
    if (error instanceof TransportError) return `${error.sent}: ${error.message}`;
    throw error;
  }
}

const place = (clientOid: string): Promise<string> =>
  send('futures/place-order', { ...openingLimit, price: '75000', clientOid });

/** Whether an order stands, by the engine's own word. */
function stands(clientOid: string): boolean {
  const { uid } = sandbox.accounts.hedge;
  const { open } = Object(sandbox.control('GET', 'orders', { uid }));
  return open.some((order: { clientOid: string }) => order.clientOid === clientOid);
}

function arm(when: 'before' | 'after-commit', action: FaultAction, times = 1): void {
  const match = { operation: 'futures/place-order' };
  sandbox.control('PUT', 'faults', { rules: [{ match, when, times, action }] });
}

describe('a lost response', () => {
  test.each<[FaultAction, string]>([
    [{ kind: 'reset' }, 'maybe: the connection was reset'],
    [{ kind: 'empty' }, 'maybe: the connection was closed without a response'],
    [{ kind: 'never' }, 'maybe: no response arrived'],
    [{ kind: 'truncated' }, 'maybe: the connection was closed within the response'],
    [{ kind: 'html-502' }, '502 text/html'],
    [{ kind: 'status', status: 500, code: '25001' }, '25001'],
  ])('%j: the client cannot tell whether the order was placed', async (action, seen) => {
    arm('before', action);
    expect(await place('before')).toBe(seen);
    expect(stands('before')).toBe(false);
    arm('after-commit', action);
    expect(await place('after')).toBe(seen);
    expect(stands('after')).toBe(true);
  });

  test('of an order that appears later', async () => {
    arm('before', { kind: 'late-commit', ms: 20_000 });
    expect(await place('late')).toBe('maybe: the connection was reset');
    expect(stands('late')).toBe(false);
    clock.advance(19_999);
    expect(stands('late')).toBe(false);
    clock.advance(1);
    expect(stands('late')).toBe(true);
  });
});

describe('a delayed response', () => {
  test('uses the sandbox’s clock, before or after the order is placed', async () => {
    arm('before', { kind: 'delay', ms: 5_000 });
    expect(await place('before')).toBe('00000');
    expect(sandbox.now()).toBe(born + 5_000);
    arm('after-commit', { kind: 'delay', ms: 5_000 });
    expect(await place('after')).toBe('00000');
    expect(sandbox.now()).toBe(born + 10_000);
  });

  test('arrives byte by byte', async () => {
    arm('before', { kind: 'slow-drip', everyMs: 100 });
    expect(await place('before')).toBe('40015');
    expect(stands('before')).toBe(false);
    arm('after-commit', { kind: 'slow-drip', everyMs: 100 });
    expect(await place('after')).toBe('00000');
    expect(stands('after')).toBe(true);
    expect(sandbox.now()).toBeGreaterThan(born + 15_000);
  });
});

test('stale reads do not show new orders', async () => {
  expect(await place('new')).toBe('00000');
  const rules = [{ action: { kind: 'stale-reads', ms: 3_000 } }];
  sandbox.control('PUT', 'faults', { rules });
  const listed = async (): Promise<boolean> => {
    const { hedge } = sandbox.accounts;
    const before = sandbox.now();
    const { apiKey, secretKey, passphrase } = hedge;
    const { method, path, query, body } = encode('order/list-open', { symbol: 'BTCUSDT' });
    const timestamp = String(before);
    const response = await sandbox.transport(
      {
        operation: 'order/list-open',
        method,
        path,
        query,
        body,
        headers: {
          'access-key': apiKey.reveal(),
          'access-sign': signatureOf({ timestamp, method, path, query, body }, secretKey),
          'access-timestamp': timestamp,
          'access-passphrase': passphrase.reveal(),
        },
      },
      new AbortController().signal,
    );
    return JSON.stringify(opened(response).data).includes('"new"');
  };
  expect(await listed()).toBe(false);
  clock.advance(3_000);
  expect(await listed()).toBe(true);
});

describe('a fault rule applies', () => {
  let serial = 0;
  const codes = async (count: number): Promise<string> => {
    const seen: string[] = [];
    for (let n = 0; n < count; n++)
      seen.push((await place(`o${serial++}`)) === '00000' ? '.' : 'x');
    return seen.join('');
  };
  const rule = (match: object, times?: number): void => {
    const rules = [{ match, action: { kind: 'reset' }, ...(times !== undefined && { times }) }];
    sandbox.control('PUT', 'faults', { rules });
  };

  test('to the n-th request, a number of times or permanently', async () => {
    rule({ nth: 3 });
    expect(await codes(6)).toBe('..x...');
    rule({}, 2);
    expect(await codes(4)).toBe('xx..');
    rule({ operation: 'futures/place-order' });
    expect(await codes(3)).toBe('xxx');
    rule({ operation: 'futures/list-bills' });
    expect(await codes(3)).toBe('...');
  });

  test('with a probability, reproducibly by seed', async () => {
    rule({ probability: 0.5 });
    const first = await codes(30);
    serial = 0;
    sandbox = await openSandbox({ clock, limits: false });
    rule({ probability: 0.5 });
    expect(await codes(30)).toBe(first);
    expect(first.split('x').length - 1).toBeGreaterThan(5);
    expect(first.split('x').length - 1).toBeLessThan(25);
  });

  test('only to its account', async () => {
    rule({ uid: sandbox.accounts.oneway.uid });
    expect(await codes(2)).toBe('..');
    rule({ uid: sandbox.accounts.hedge.uid });
    expect(await place('other')).toBe('maybe: the connection was reset');
  });
});

test('a client that times out gets the hint that the request may have been executed', async () => {
  arm('after-commit', { kind: 'never' });
  const { method, path, query, body } = encode('futures/place-order', {});
  const gone = AbortSignal.abort(new Error('deadline'));
  const request = {
    operation: 'futures/place-order',
    method,
    path,
    query,
    body,
    headers: {},
  } as const;
  await expect(sandbox.transport(request, gone)).rejects.toMatchObject({ sent: 'no' });
});

test('requests and their faults are recorded', async () => {
  arm('after-commit', { kind: 'reset' });
  await place('noted');
  expect(sandbox.control('GET', 'requests')).toMatchObject([
    { method: 'POST', fault: 'reset' },
    {
      operation: 'futures/place-order',
      uid: sandbox.accounts.hedge.uid,
      code: '00000',
      fault: 'reset',
    },
  ]);
});
