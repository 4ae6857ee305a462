/** The signals of requests: created once per request in flight, for a transport that releases them. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Transport, WireRequest } from '../../../src/exchange/api/exchange.ts';
import { standingClock } from '../../../src/base/clock.ts';
import type { Attempt } from '../../../src/exchange/client/layers/layer.ts';
import { overWire } from '../../../src/exchange/client/layers/wire.ts';
import { Stopwatch } from '../../../src/exchange/client/stopwatch.ts';

const clock = standingClock(1_790_000_000_000);
const request: WireRequest = {
  operation: 'market/list-tickers',
  method: 'GET',
  path: '/api/v3/market/tickers',
  query: 'category=SPOT',
  body: '',
  headers: {},
};
const response = { status: 200, headers: {}, body: Buffer.from('{}') };

/** A transport that notes its signals. It responds, except at the given calls, which await an abort. */
function noting(hanging: readonly number[] = []) {
  const signals: AbortSignal[] = [];
  const transport: Transport = async (_, signal) => {
    signals.push(signal);
    if (hanging.includes(signals.length)) {
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    }
    return response;
  };
  return { signals, transport };
}

function attempt(call: Attempt['call'] = {}): Attempt {
  return { request, number: 1, timeoutMs: 50, watch: new Stopwatch(clock), call };
}

const releasing = (transport: Transport): Transport =>
  Object.assign(transport, { releasesSignal: true as const });

test('the next request has the same signal, and requests at the same time have their own', async () => {
  const { signals, transport } = noting();
  const carry = overWire(releasing(transport), clock);
  await carry(attempt());
  await Promise.all([carry(attempt()), carry(attempt())]);
  expect(signals[1]).toBe(signals[0]);
  expect(signals[2]).not.toBe(signals[0]);
});

test('every request has its own signal if the transport may keep it', async () => {
  const { signals, transport } = noting();
  const carry = overWire(transport, clock);
  await carry(attempt());
  await carry(attempt());
  expect(signals[1]).not.toBe(signals[0]);
});

test('an aborted signal serves no other request', async () => {
  const { signals, transport } = noting([1]);
  const carry = overWire(releasing(transport), clock);
  await expect(carry(attempt())).rejects.toThrow('aborted');
  await carry(attempt());
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test('neither the deadline nor the caller of a finished request aborts the next one', async () => {
  const { signals, transport } = noting([2]);
  const carry = overWire(releasing(transport), clock);
  const first = new AbortController();
  await carry(attempt({ signal: first.signal }));
  first.abort();
  const second = carry({ ...attempt(), timeoutMs: 1_000_000 });
  await setTimeout(80); // longer than the deadline of the first
  expect(signals[1]).toBe(signals[0]);
  expect(signals[1]?.aborted).toBe(false);
  void second;
});
