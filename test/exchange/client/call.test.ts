/** A single call: validated, signed, recorded before it is sent, and silent about secrets. */
import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/base/error.ts';
import { Secret } from '../../../src/base/secret.ts';
import {
  InputError,
  RefusedError,
  TransportError,
  type CallEvent,
} from '../../../src/exchange/api/exchange.ts';
import { answer, scripted, secrets, startOfTest, success } from '../../support/scripted.ts';

const ranks = { productType: 'USDT-FUTURES' } as const;
const order = {
  symbol: 'BTCUSDT',
  productType: 'USDT-FUTURES',
  marginMode: 'crossed',
  marginCoin: 'USDT',
  size: '0.01',
  side: 'buy',
  orderType: 'market',
  clientOid: 'ours-1',
} as const;

describe('a signed request', () => {
  test('has the six headers and a signature over the decoded query', async () => {
    const { client, requests } = scripted(() => success({ list: [], cursor: '' }));
    await client.call('order/list-open', { symbol: '龙虾USDT', category: 'SPOT' });
    const [{ query, headers } = { query: '', headers: {} }] = requests;
    expect(query).toBe('category=SPOT&symbol=%E9%BE%99%E8%99%BEUSDT');
    const signed = `${startOfTest}GET/api/v3/trade/unfilled-orders?category=SPOT&symbol=龙虾USDT`;
    expect(headers).toEqual({
      'content-type': 'application/json',
      locale: 'en-US',
      'ACCESS-KEY': secrets.apiKey.reveal(),
      'ACCESS-PASSPHRASE': secrets.passphrase.reveal(),
      'ACCESS-TIMESTAMP': String(startOfTest),
      'ACCESS-SIGN': createHmac('sha256', secrets.secretKey.reveal())
        .update(signed)
        .digest('base64'),
    });
  });

  test('with a demo key says so, in the requested language', async () => {
    const { client, requests } = scripted(() => success([]), {
      isDemo: true,
      locale: 'zh-CN',
    });
    await client.call('futures/list-adl-ranks', ranks);
    expect(requests[0]?.headers).toMatchObject({ paptrading: '1', locale: 'zh-CN' });
  });

  test('reads the exchange’s time first, once for all calls', async () => {
    const asked: string[] = [];
    const { client } = scripted(() => success([]));
    const onEvent = (event: CallEvent): void => {
      if (event.kind === 'sent') asked.push(event.operation);
    };
    await Promise.all(
      [1, 2, 3].map(() => client.call('futures/list-adl-ranks', ranks, { onEvent })),
    );
    expect(asked).toEqual([
      'market/list-discount-rates',
      'futures/list-adl-ranks',
      'futures/list-adl-ranks',
      'futures/list-adl-ranks',
    ]);
  });

  test.each([7, -7])('is signed with the exchange’s time, %s minutes off', async (minutes) => {
    const ahead = minutes * 60_000;
    const { client, requests, clock } = scripted((_, nth) =>
      nth === 1
        ? answer({ code: '40008' }, { status: 400, requestTime: startOfTest + ahead })
        : success([], startOfTest + ahead),
    );
    await client.call('futures/list-adl-ranks', ranks);
    expect(requests.map(({ headers }) => headers['ACCESS-TIMESTAMP'])).toEqual(
      [startOfTest, startOfTest + ahead].map(String),
    );
    expect(await client.serverTime()).toBe(startOfTest + ahead);
    clock.advance(1_500);
    expect(await client.serverTime()).toBe(startOfTest + ahead + 1_500);
  });

  test('is not sent when the clock cannot be read, and reports it once', async () => {
    const transport = async (): Promise<never> => {
      throw new TransportError('ECONNREFUSED', 'no');
    };
    const { client } = scripted(() => success([]), { transport });
    await expect(client.call('futures/list-adl-ranks', ranks)).rejects.toThrow(
      /^futures.list-adl-ranks: the exchange’s clock could not be read: nothing could be sent: ECONNREFUSED; nothing was read$/,
    );
  });

  test('requires credentials; a public request has none', async () => {
    const { client, requests } = scripted(() => success([]), { isAnonymous: true });
    await expect(client.call('futures/list-adl-ranks', ranks)).rejects.toMatchObject({ exit: 4 });
    await client.call('market/list-tickers', { category: 'SPOT' });
    expect(requests).toHaveLength(1);
    expect(Object.keys(requests[0]?.headers ?? {}).join()).not.toMatch(/access/i);
  });

  test('is not sent with a key that is invalid in a header', () => {
    for (const apiKey of ['', ' key-0123456789', 'key-0123456789\n', 'schlüssel']) {
      const credentials = { ...secrets, apiKey: new Secret(apiKey) };
      expect(() => scripted(() => success([]), { credentials })).toThrow(ConfigError);
    }
  });
});

test('an input that violates the API schema is refused before anything is sent', async () => {
  const { client, requests } = scripted(() => success([]));
  const wrong = client.call('futures/list-adl-ranks', JSON.parse('{"productType":"SPOT"}'));
  await expect(wrong).rejects.toBeInstanceOf(InputError);
  expect(requests).toHaveLength(0);
});

describe('the hook before a send', () => {
  test('comes before every attempt, with the time it is signed with', async () => {
    const steps: string[] = [];
    const { client } = scripted(({ headers }, nth) => {
      steps.push(`sent ${headers['ACCESS-TIMESTAMP']}`);
      return nth === 1
        ? answer({ code: '429' }, { status: 429 })
        : success({ clientOid: 'ours-1' });
    });
    await client.call('futures/place-order', order, {
      resend: true,
      beforeSend: async ({ attempt, signedAt }) => {
        await Promise.resolve();
        steps.push(`intended ${attempt} ${signedAt}`);
      },
    });
    const [, first, , second] = steps.map((step) => step.split(' ').at(-1));
    expect(steps).toEqual([
      `intended 1 ${first}`,
      `sent ${first}`,
      `intended 2 ${second}`,
      `sent ${second}`,
    ]);
  });

  test('stops the send when it fails, and its error is passed on unchanged', async () => {
    const { client, requests } = scripted(() => success({ clientOid: 'ours-1' }));
    const full = new TypeError('no space left on device');
    const call = client.call('futures/place-order', order, {
      beforeSend: async () => {
        throw full;
      },
    });
    await expect(call).rejects.toBe(full);
    expect(requests).toHaveLength(0);
  });
});

describe('events', () => {
  test('report every attempt and never a header or a body', async () => {
    const { client } = scripted((_, nth) =>
      nth === 1 ? answer({ code: '45001', msg: 'no' }, { status: 400 }) : success([]),
    );
    const events: CallEvent[] = [];
    await client.serverTime();
    await client.call('futures/list-adl-ranks', ranks, { onEvent: (event) => events.push(event) });
    expect(events.map((event) => ({ ...event, ...('inMs' in event && { inMs: 'some' }) })))
      .toMatchInlineSnapshot(`
        [
          {
            "attempt": 1,
            "kind": "sent",
            "operation": "futures/list-adl-ranks",
          },
          {
            "attempt": 1,
            "code": "45001",
            "kind": "answered",
            "ms": 0,
            "operation": "futures/list-adl-ranks",
            "status": 400,
          },
          {
            "attempt": 2,
            "because": "the exchange answered 45001 no",
            "inMs": "some",
            "kind": "retrying",
            "operation": "futures/list-adl-ranks",
            "reason": "fault",
          },
          {
            "attempt": 2,
            "kind": "sent",
            "operation": "futures/list-adl-ranks",
          },
          {
            "attempt": 2,
            "code": "00000",
            "kind": "answered",
            "ms": 0,
            "operation": "futures/list-adl-ranks",
            "status": 200,
          },
        ]
      `);
  });

  test('cannot stop a call: an observer that throws is a warning', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => {
      warnings.push(warning.message);
    };
    process.on('warning', listen);
    const { client } = scripted(() => success({ clientOid: 'ours-1' }));
    const onEvent = (): void => {
      throw new Error('the screen is gone');
    };
    await client.call('futures/place-order', order, { onEvent });
    await new Promise((resolve) => setImmediate(resolve)); // warnings are emitted one turn later
    process.off('warning', listen);
    expect(new Set(warnings)).toEqual(new Set(['the screen is gone']));
  });
});

test('no error shows a secret or a signature, even one the exchange quotes', async () => {
  const quoted = ({ headers }: { headers: Readonly<Record<string, string>> }): string =>
    `${Object.values(headers).join(' ')} ${secrets.secretKey.reveal()}\u001b[2J`;
  for (const code of ['40009', '99999', '45001', quoted({ headers: {} })]) {
    const signatures: string[] = [];
    const { client } = scripted((request) => {
      signatures.push(request.headers['ACCESS-SIGN'] ?? '');
      return answer({ code, msg: quoted(request) }, { status: 400 });
    });
    for (const call of [
      client.call('futures/place-order', order),
      client.call('futures/list-adl-ranks', ranks, { attempts: 1 }),
    ]) {
      const error: unknown = await call.catch((reason: unknown) => reason);
      const shown = inspect(error, { depth: 10 });
      for (const secret of Object.values(secrets)) expect(shown).not.toContain(secret.reveal());
      for (const signature of signatures) expect(shown).not.toContain(signature);
      expect(shown).not.toContain('\u001b');
    }
  }
});

test('the reason of a failed transport is in the error', async () => {
  const { client } = scripted(() => {
    throw new TransportError('ECONNREFUSED 127.0.0.1:1', 'no');
  });
  const error: unknown = await client
    .call('futures/list-adl-ranks', ranks, { attempts: 1 })
    .catch((reason: unknown) => reason);
  expect(String(error)).toBe(
    'UnavailableError: futures/list-adl-ranks: nothing could be sent: ' +
      'ECONNREFUSED 127.0.0.1:1; nothing was read',
  );
});

test('a refusal shows the exchange’s message and a hint', async () => {
  const { client } = scripted(() => answer({ code: '40085', msg: 'Unified' }, { status: 400 }));
  const error: unknown = await client
    .call('futures/list-adl-ranks', ranks)
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({
    message: 'futures/list-adl-ranks was refused: 40085 Unified',
    hint: expect.stringContaining('the other account family'),
    exit: 4,
  });
});
