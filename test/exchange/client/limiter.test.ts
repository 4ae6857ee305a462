/** Turns under a rate limit: strict as the server counts, in order, and returned if unused. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { second, standingClock } from '../../../src/base/clock.ts';
import { createLimiter } from '../../../src/exchange/client/layers/limit.ts';
import { waitFor } from '../../../src/exchange/client/pace.ts';
import { busiest } from '../../support/pace.ts';

const permits = 20; // ticker requests per second

describe('the wait for a slot', () => {
  const limit = { permits: 3, per: 1_000, of: 'ip' } as const;

  test('is zero while a slot is free', () => {
    expect(waitFor({ answered: [], out: 0 }, limit, 0)).toBe(0);
    expect(waitFor({ answered: [0, 1], out: 0 }, limit, 2)).toBe(0);
    expect(waitFor({ answered: [], out: 2 }, limit, 0)).toBe(0);
  });

  test('ends when the oldest counted response is one period old', () => {
    expect(waitFor({ answered: [0, 400, 500], out: 0 }, limit, 600)).toBe(402);
    expect(waitFor({ answered: [0, 400, 500], out: 1 }, limit, 600)).toBe(802);
  });

  test('is infinite while every slot has a call without a response', () => {
    expect(waitFor({ answered: [], out: 3 }, limit, 0)).toBe(Infinity);
  });
});

/**
 * Calls with any latency, on a clock that only this function advances.
 * @returns when each call arrived at the server
 */
async function travel(
  calls: number,
  there: Iterator<number>,
  back: Iterator<number>,
): Promise<number[]> {
  const clock = standingClock(0);
  const limiter = createLimiter({ clock });
  const arrivals: number[] = [];
  const answers: { readonly at: number; readonly give: () => Promise<void> }[] = [];
  for (let call = 0; call < calls; call++) {
    let isIn = false;
    const turn = limiter.acquire('market/list-tickers').then((slot) => {
      isIn = true;
      return slot;
    });
    while (!isIn && answers.length > 0) {
      answers.sort((a, b) => a.at - b.at);
      const [next] = answers.splice(0, 1);
      clock.advance(Math.max(0, (next?.at ?? 0) - clock.monotonic()));
      await next?.give();
    }
    const slot = await turn;
    const arrival = clock.monotonic() + there.next().value;
    arrivals.push(arrival);
    answers.push({ at: arrival + back.next().value, give: async () => slot.answered() });
  }
  return arrivals;
}

describe('a limiter', () => {
  test('keeps the limit at the server for any travel time of calls', async () => {
    const times = fc.infiniteStream(fc.integer({ min: 0, max: 700 }));
    await fc.assert(
      fc.asyncProperty(
        times,
        times,
        fc.integer({ min: 1, max: 80 }),
        async (there, back, calls) => {
          expect(busiest(await travel(calls, there, back))).toBeLessThanOrEqual(permits);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('releases calls in the order they arrived', async () => {
    const clock = standingClock(0);
    const limiter = createLimiter({ clock });
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const slot = await limiter.acquire('tax/list-p2p');
        order.push(index);
        await slot.answered();
      }),
    );
    expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(clock.monotonic()).toBeGreaterThanOrEqual(49 * second);
    expect(clock.monotonic()).toBeLessThan(49.2 * second);
  });

  test('removes a canceled call from the queue immediately', async () => {
    const limiter = createLimiter({ clock: standingClock(0) });
    const first = await limiter.acquire('tax/list-p2p');
    const giveUp = new AbortController();
    const waiting = limiter.acquire('tax/list-p2p', { signal: giveUp.signal });
    const queued = limiter.acquire('tax/list-p2p', { signal: giveUp.signal });
    const patient = limiter.acquire('tax/list-p2p');
    giveUp.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(queued).rejects.toThrow('stopped');
    await first.answered();
    await expect(patient).resolves.toBeDefined();
  });

  test.each([
    [false, 1],
    [true, 19],
  ])('keeps a leader to the tighter limit (leader: %s)', async (isLeader, seconds) => {
    const clock = standingClock(0);
    const limiter = createLimiter({ clock, isLeader });
    for (let call = 0; call < 20; call++) {
      await (await limiter.acquire('futures/place-order')).answered();
    }
    expect(Math.floor(clock.monotonic() / second)).toBe(seconds);
  });

  test('limits one address to a hundred calls per second over all operations', async () => {
    const clock = standingClock(0);
    const limiter = createLimiter({ clock });
    const moments: number[] = [];
    const names = [
      'market/list-tickers',
      'market/get-risk-reserve',
      'market/list-discount-rates',
      'order/list-open',
      'order/list-history',
      'futures/list-adl-ranks',
    ] as const;
    await Promise.all(
      Array.from({ length: 240 }, async (_, index) => {
        const slot = await limiter.acquire(names[index % names.length] ?? 'market/list-tickers');
        moments.push(clock.monotonic());
        await slot.answered();
      }),
    );
    expect(busiest(moments)).toBeLessThanOrEqual(100);
  });
});

test('one that begins full sends nothing for one window after it was made, and then as always', async () => {
  const clock = standingClock(0);
  const limiter = createLimiter({ clock, startsFull: true });
  const sent = async (operation: 'futures/place-order' | 'order/list-open'): Promise<number> => {
    await (await limiter.acquire(operation)).answered();
    return clock.monotonic();
  };
  expect(await sent('futures/place-order')).toBe(1_000);
  expect(await sent('order/list-open')).toBe(1_000);
  for (let more = 0; more < 9; more++) expect(await sent('futures/place-order')).toBe(1_000);
});
