/** A rate limit is waited out within the step's timeout, is shown while it lasts, and doubles nothing. */
import { expect, test } from 'vitest';
import { second } from '../../../src/base/clock.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import {
  live,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';
import { answer } from '../../support/scripted.ts';

const order = playbookFrom(`
playbook: 1
name: order
steps:
  - id: bid
    uses: futures/place-order
    timeout: 30s
    retry: { attempts: 1 }
    with:${limitOrder({ price: '41000.0' })}
`);

/** Refuses every order until the storm is over. */
function stormUntil(harness: Harness, end: number, retryAfter?: string) {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return (transport: Transport): Transport =>
    async (request, signal) => {
      const isOver =
        request.operation !== 'futures/place-order' || harness.clock.monotonic() >= end;
      if (isOver) return transport(request, signal);
      const requestTime = harness.clock.now();
      return answer({ code: '429' }, { status: 429, requestTime, headers });
    };
}

async function placedOnce(harness: Harness): Promise<boolean> {
  const placed = [...(await ordersPlaced(harness))].filter(([id]) => id.startsWith('dh'));
  return placed.length === 1 && placed[0]?.[1] === 1;
}

test.each([undefined, '4'])('a storm of 20 s with Retry-After: %s is outlasted', async (asked) => {
  const harness = await openHarness();
  const end = harness.clock.monotonic() + 20 * second;
  const over = harness.clock.now() + 20 * second;
  const entries: Entry[] = [];
  const onEntry = (entry: Entry): void => void entries.push(entry);
  const wrap = stormUntil(harness, end, asked);
  expect(await live(harness, order, { wrap, onEntry })).toMatchObject({ status: 'done', exit: 0 });
  expect(await placedOnce(harness)).toBe(true);
  const waits = entries.flatMap((entry) => (entry.kind === 'waited' ? [entry] : []));
  expect(waits.length).toBeGreaterThan(3);
  for (const { because, at } of waits) {
    const words = asked === undefined ? '' : ': the exchange asks to wait 4.0 s';
    expect(because).toBe(`too many requests (HTTP 429)${words}`);
    expect(at).toBeLessThan(over); // when it begins, not when it is over
  }
});

test('a storm beyond the timeout stops the run with the order not sent, and resume places it once', async () => {
  const harness = await openHarness();
  const entries: Entry[] = [];
  const onEntry = (entry: Entry): void => void entries.push(entry);
  const wrap = stormUntil(harness, Infinity, '7');
  expect(await live(harness, order, { wrap, onEntry })).toMatchObject({
    status: 'stopped',
    exit: 1,
  });
  const settled = entries.find(({ kind }) => kind === 'settled');
  expect(settled).toHaveProperty('outcome', {
    kind: 'failed',
    code: 'unavailable',
    exit: 1,
    message:
      'futures/place-order: too many requests (HTTP 429): the exchange asks to wait 7.0 s, beyond the timeout of 30 s; nothing was executed',
  });
  expect(await live(harness, order)).toMatchObject({ status: 'done' });
  expect(await placedOnce(harness)).toBe(true);
});
