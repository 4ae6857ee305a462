/** Orders that are looked up one after another wait together, and each has two searches past its fence. */
import { describe, expect, test } from 'vitest';
import { orderLists } from '../../../src/exchange/api/order-lists.ts';
import { second, type Millis } from '../../../src/base/clock.ts';
import type { TimeWatch, Transport } from '../../../src/exchange/api/exchange.ts';
import { Fence } from '../../../src/engine/effects/fence.ts';
import { Searches } from '../../../src/engine/effects/searches.ts';
import type { Destination } from '../../../src/engine/journal/entry.ts';
import type { Playbook } from '../../../src/language/playbook.ts';
import { append } from '../../support/append.ts';
import {
  clientOf,
  destination,
  entriesOf,
  live,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { listedOn } from '../../support/listed.ts';
import { shifting } from '../../support/lying.ts';
import { limitOrder } from '../../support/order.ts';

const ladderOf = (orders: number): Playbook =>
  playbookFrom(`
playbook: 1
name: ladder
steps:
  - id: bids
    for-each: "{{ range 20000 ${19_999 + orders} }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`);

interface Forgotten {
  readonly harness: Harness;
  /** Brings the request of an order to the exchange. */
  readonly arrives: (nth: number) => Promise<void>;
}

/**
 * A run of which only the first line is left; what it sent arrives when a test says so.
 * @param forgets whether its store forgot the others; otherwise another machine never stored them
 */
async function forgotten(
  playbook: Playbook,
  forgets: boolean,
  life: Life = {},
): Promise<Forgotten> {
  const lost = await openHarness();
  await live(lost, playbook, life);
  const inputs = entriesOf(lost).flatMap((entry) => (entry.kind === 'intended' ? entry.input : []));
  const harness = await openHarness();
  harness.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
  harness.disk = `${lost.disk.split('\n')[0]}\n`;
  expect(entriesOf(harness).map(({ kind }) => kind)).toEqual(['started']);
  const now = harness.clock.now();
  const range = { since: now, until: now };
  await append(harness, {
    kind: 'taken-over',
    host: 'former',
    ...range,
    ...(forgets && { forgets }),
  });
  const arrives = async (nth: number): Promise<void> => {
    await clientOf(harness).call('futures/place-order', Object(inputs[nth - 1]));
  };
  return { harness, arrives };
}

async function nameOn(harness: Harness): Promise<string> {
  const names = [...(await ordersPlaced(harness)).keys()];
  return names.find((name) => name.startsWith('dh')) ?? '';
}

async function timesOf(harness: Harness): Promise<readonly number[]> {
  const placed = [...(await ordersPlaced(harness))].filter(([name]) => name.startsWith('dh'));
  return placed.map(([, times]) => times);
}

/** How long a run takes after its store forgot it, when its first orders had arrived. */
async function durationOf(orders: number, arrived: number, life: Life = {}): Promise<Millis> {
  const playbook = ladderOf(orders);
  const { harness, arrives } = await forgotten(playbook, true, life);
  for (let nth = 1; nth <= arrived; nth++) await arrives(nth);
  const began = harness.clock.monotonic();
  expect(await live(harness, playbook, life)).toMatchObject({ status: 'done' });
  expect(await timesOf(harness)).toEqual(Array.from({ length: orders }, () => 1));
  return harness.clock.monotonic() - began;
}

const onLive: Destination = { ...destination, target: 'live' };

test.each([
  ['the sandbox', {}],
  ['a live account', { destination: onLive, visibilities: listedOn(onLive) }],
])('on %s, orders in doubt take one waiting time, however many there are', async (_, life) => {
  const one = await durationOf(1, 0, life);
  expect(one).toBeGreaterThan(50 * second);
  // Afterwards, two lists are read for each, within the rate limits.
  expect(await durationOf(24, 6, life)).toBeLessThan(one + 10 * second);
});

describe('after an order that was never sent', () => {
  const shifts = [60, 3_600, -60].map((seconds) => seconds * second);

  /** The number of responses, if the one chosen is off. */
  async function runWith(liar: number, ms: Millis): Promise<number> {
    const playbook = ladderOf(3);
    const { harness, arrives } = await forgotten(playbook, false);
    const counted = { answers: 0 };
    const began = harness.clock.monotonic();
    let isLate = true;
    const wrap = (transport: Transport): Transport => {
      const off = shifting((nth) => (nth === liar ? ms : 0), counted)(transport);
      return async (request, signal) => {
        if (isLate && harness.clock.monotonic() - began >= 15 * second) {
          isLate = false;
          await arrives(2);
        }
        return off(request, signal);
      };
    };
    const { status } = await live(harness, playbook, { wrap });
    if (isLate) await arrives(2);
    expect([liar, ms, status, await timesOf(harness)]).toEqual([liar, ms, 'done', [1, 1, 1]]);
    return counted.answers;
  }

  test.each(shifts)('a late order exists once, if any response is %i ms off', async (ms) => {
    const all = await runWith(0, 0);
    expect(all).toBeGreaterThan(20);
    for (let liar = 1; liar <= all; liar++) await runWith(liar, ms);
  });
});

describe('a search', () => {
  const ours = { line: 'USDT-FUTURES', lists: orderLists, since: 0 } as const;

  /** A search at 100 s that does not show the order, which was signed at 50 s. */
  async function searched() {
    const { harness, arrives } = await forgotten(ladderOf(1), true);
    const { clock } = harness;
    const searches = new Searches(clock);
    const began = clock.now();
    clock.advance(100 * second);
    /** The exchange's time, and what a later response says about it. */
    let offset: Millis = clock.now() - clock.monotonic();
    const watch: TimeWatch = {
      earliest: (moment) => moment + offset,
      dispute: () => 0,
      end: () => undefined,
    };
    const search = async (name: string, more: object = {}): Promise<void> => {
      const { signal } = new AbortController();
      const range = { ...ours, now: clock.now(), signal, ...more };
      await searches.find(clientOf(harness), name, range, watch);
    };
    const at = clock.monotonic();
    await search('another');
    const fenceAt = (signedAt: Millis): Fence =>
      new Fence([{ signedAt: began + signedAt }], {
        clock,
        watch,
        known: searches.begun,
        target: 'live',
      });
    const isBack = (ms: Millis): void => {
      offset -= ms;
    };
    return { harness, arrives, clock, searches, search, fenceAt, at, isBack };
  }

  test('for one order shows that another is absent', async () => {
    const { searches, fenceAt, at } = await searched();
    expect(searches.absentSince('dh1', ours, fenceAt(50 * second))).toBe(at);
  });

  test('before the fence of the other proves nothing', async () => {
    const { searches, fenceAt } = await searched();
    expect(searches.absentSince('dh1', ours, fenceAt(61 * second))).toBeUndefined();
  });

  test('of another product type, or of less history, proves nothing', async () => {
    const { searches, fenceAt } = await searched();
    const fence = fenceAt(50 * second);
    const coins = { ...ours, line: 'COIN-FUTURES' } as const;
    expect(searches.absentSince('dh1', coins, fence)).toBeUndefined();
    expect(searches.absentSince('dh1', { ...ours, since: -1 }, fence)).toBeUndefined();
  });

  test('of a history that ends before the fence proves nothing', async () => {
    const { clock, searches, search, fenceAt } = await searched();
    const other = { line: 'USDC-FUTURES' } as const;
    await search('another', { ...other, now: clock.now() - 20 * second });
    expect(
      searches.absentSince('dh1', { ...ours, ...other }, fenceAt(50 * second)),
    ).toBeUndefined();
  });

  test('proves nothing if a later response shows that the fence was not past', async () => {
    const { clock, searches, search, fenceAt, isBack } = await searched();
    isBack(20 * second);
    clock.advance(second);
    await search('another');
    isBack(-20 * second); // by the responses of a third search it would be past
    expect(searches.absentSince('dh1', ours, fenceAt(50 * second))).toBeUndefined();
  });

  test('that showed the order proves nothing, though an earlier one did not', async () => {
    const { arrives, harness, clock, searches, search, fenceAt } = await searched();
    await arrives(1);
    clock.advance(11 * second);
    await search('another');
    const name = await nameOn(harness);
    expect(searches.absentSince(name, ours, fenceAt(50 * second))).toBeUndefined();
  });

  test('that ended when it found its order proves nothing about others', async () => {
    const { arrives, harness, clock, search, searches, fenceAt } = await searched();
    await arrives(1);
    clock.advance(60 * second);
    await search(await nameOn(harness));
    expect(searches.absentSince('dh1', ours, fenceAt(61 * second))).toBeUndefined();
  });

  test('is remembered for longer than orders may be missing, and not without end', async () => {
    const { clock, searches, search, at, fenceAt } = await searched();
    const fence = fenceAt(50 * second);
    let oldest = at;
    for (let passed = 0; passed < 60 * second; passed += second) {
      clock.advance(second);
      await search('another');
      oldest = searches.absentSince('dh1', ours, fence) ?? Infinity;
      if (passed > 20 * second) expect(clock.monotonic() - oldest).toBeGreaterThan(10 * second);
    }
    expect(clock.monotonic() - oldest).toBeLessThan(20 * second);
  });
});
