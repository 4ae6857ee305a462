/** Reads and faults: retried within their number of attempts and their time. */
import { describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/base/clock.ts';
import {
  AnswerError,
  RefusedError,
  TransportError,
  UnavailableError,
  type CallEvent,
  type CallOptions,
  type WireResponse,
} from '../../../src/exchange/api/exchange.ts';
import { answer, scripted, startOfTest, success } from '../../support/scripted.ts';

type Serve = (nth: number) => WireResponse;

/** One read over a scripted transport: its result, number of requests and duration. */
async function reading(serve: Serve, options: CallOptions = {}) {
  const { client, clock, requests } = scripted((_, nth) => serve(nth));
  const waits: number[] = [];
  const onEvent = (event: CallEvent): void => {
    if (event.kind === 'retrying') waits.push(event.inMs);
  };
  const start = clock.monotonic();
  const outcome: unknown = await client
    .call('futures/list-adl-ranks', { productType: 'USDT-FUTURES' }, { onEvent, ...options })
    .catch((error: unknown) => error);
  return { outcome, requests: requests.length, waits, took: clock.monotonic() - start };
}

const lost = (sent: 'no' | 'maybe') => (): WireResponse => {
  throw new TransportError('the line broke', sent);
};

describe('a read', () => {
  test.each<[string, Serve]>([
    ['a lost connection', lost('maybe')],
    ['no connection', lost('no')],
    ['a page with HTTP 502', () => answer('<html>', { status: 502 })],
    ['a page with HTTP 200', () => answer('<html>')],
    ['half an answer', () => answer('{"code":"000')],
    ['an unknown code', () => answer({ code: '99999' })],
    ['an unstable system', () => answer({ code: '40015' }, { status: 400 })],
    ['maintenance', () => answer({ code: '40200' }, { status: 400 })],
    ['data of another shape', () => success({ of: 'another' })],
    ['too many requests', () => answer('', { status: 429 })],
    ['a page with HTTP 403', () => answer('<html>', { status: 403 })],
    ['a page with HTTP 429', () => answer('<html>', { status: 429 })],
    ['no content', () => answer('')],
    ['another envelope', () => answer('{"status":"error","err_code":"1","err_msg":"busy"}')],
    ['a refused timestamp', () => answer({ code: '40008' }, { status: 400 })],
  ])('is retried after %s', async (_, fault) => {
    const { outcome, requests } = await reading((nth) => (nth === 1 ? fault(1) : success([])));
    expect(outcome).toEqual([]);
    expect(requests).toBe(2);
  });

  test.each<[string, Serve, unknown, number]>([
    ['refused for good', () => answer({ code: '40009' }, { status: 400 }), RefusedError, 1],
    ['redirected', () => answer('', { status: 302 }), UnavailableError, 1],
    [
      'turned away by a page with HTTP 401',
      () => answer('<html>', { status: 401 }),
      RefusedError,
      1,
    ],
    [
      'always turned away by a page with HTTP 403',
      () => answer('<html>', { status: 403 }),
      RefusedError,
      5,
    ],
    ['always lost', lost('maybe'), UnavailableError, 5],
    ['always misunderstood', () => success({ rows: [] }), AnswerError, 5],
    ['always answered with a page', () => answer('<html>'), AnswerError, 5],
    ['always answered with HTTP 503', () => answer('', { status: 503 }), UnavailableError, 5],
    ['always answered with an unknown code', () => answer({ code: '9' }), UnavailableError, 5],
  ])('%s has the expected result', async (_, serve, kind, attempts) => {
    const { outcome, requests } = await reading(serve);
    expect(outcome).toBeInstanceOf(kind);
    expect(requests).toBe(attempts);
  });

  test('refused with HTTP 401 or 403 is a credential error', async () => {
    for (const status of [401, 403]) {
      const { outcome } = await reading(() => answer('<html>', { status }));
      expect(outcome).toMatchObject({ exit: 4 });
    }
  });

  test('waits longer each time, with jitter, and at most 20 s', async () => {
    const { waits } = await reading(lost('maybe'), { attempts: 12, timeoutMs: 10 * minute });
    expect(waits).toHaveLength(11);
    for (const [index, ms] of waits.entries()) {
      expect(ms).toBeLessThanOrEqual(Math.min(20 * second, (second / 2) * 2 ** index));
    }
    expect(Math.max(...waits)).toBeGreaterThan(5 * second);
  });

  test('never waits past its deadline', async () => {
    const { outcome, took } = await reading(lost('maybe'), {
      attempts: 100,
      timeoutMs: 3 * second,
    });
    expect(outcome).toBeInstanceOf(UnavailableError);
    expect(took).toBeLessThanOrEqual(3 * second);
  });

  test('ends when its caller cancels during a wait', async () => {
    const giveUp = new AbortController();
    const { outcome, requests } = await reading(
      () => {
        giveUp.abort(new Error('stopped'));
        return answer('', { status: 503 });
      },
      { signal: giveUp.signal },
    );
    expect(outcome).toEqual(new Error('stopped'));
    expect(requests).toBe(1);
  });
});

describe('after "too many requests"', () => {
  const afterOne = async (retryAfter: string | undefined) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    const options = { timeoutMs: 5 * minute };
    const { waits } = await reading(
      (nth) => (nth === 1 ? answer('', { status: 429, headers }) : success([])),
      options,
    );
    return waits[0];
  };

  test.each([
    ['0', 0],
    ['7', 7 * second],
    ['60', 60 * second],
    ['240', 4 * minute],
    [new Date(startOfTest + 5 * second).toUTCString(), 5 * second],
  ])('Retry-After: %s is used', async (text, ms) => {
    expect(await afterOne(text)).toBe(ms);
  });

  test.each([
    undefined,
    '',
    '-1',
    'soon',
    '3601',
    '1000000000',
    '1e9',
    new Date(startOfTest + 2 * hour).toUTCString(),
    new Date(startOfTest - second).toUTCString(),
  ])('Retry-After: %s is ignored: the first wait is one to three seconds', async (text) => {
    const ms = await afterOne(text);
    expect(ms).toBeGreaterThanOrEqual(second);
    expect(ms).toBeLessThanOrEqual(3 * second);
  });

  test('a wait longer than the deadline ends the call immediately', async () => {
    const { outcome, requests, took } = await reading(() =>
      answer('', { status: 429, headers: { 'retry-after': '45' } }),
    );
    expect(outcome).toMatchObject({
      because:
        'too many requests (HTTP 429): the exchange asks to wait 45 s, beyond the timeout of 30 s',
      hint: 'wait, then run the command again',
    });
    expect(requests).toBe(1);
    expect(took).toBeLessThan(second);
  });

  test.each([undefined, '0', '1', '3'])(
    'Retry-After: %s is waited out for 20 s, whatever the number of attempts',
    async (retryAfter) => {
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      const { client, clock, requests } = scripted(() =>
        clock.monotonic() < 20 * second ? answer('', { status: 429, headers }) : success([]),
      );
      const input = { productType: 'USDT-FUTURES' } as const;
      expect(await client.call('futures/list-adl-ranks', input, { attempts: 1 })).toEqual([]);
      expect(clock.monotonic()).toBeLessThanOrEqual(30 * second);
      expect(requests.length).toBeLessThan(25);
    },
  );

  test('a fault in between is retried as often as without it', async () => {
    const { outcome, requests } = await reading(
      (nth) => answer('', { status: nth % 2 === 0 ? 429 : 503 }),
      { attempts: 3, timeoutMs: 5 * minute },
    );
    expect(outcome).toBeInstanceOf(UnavailableError);
    expect(requests).toBe(5);
  });

  test('other calls of the operation also wait', async () => {
    const { client, clock } = scripted((_, nth) =>
      nth === 1 ? answer('', { status: 429, headers: { 'retry-after': '20' } }) : success([]),
    );
    const input = { productType: 'USDT-FUTURES' } as const;
    const first = client.call('futures/list-adl-ranks', input, { timeoutMs: second });
    await expect(first).rejects.toBeInstanceOf(UnavailableError);
    await client.call('futures/list-adl-ranks', input);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(20 * second);
  });
});
