/** The wait for a request that may still arrive: no response during the lookups ends it early. */
import { describe, expect, test } from 'vitest';
import { day, second, standingClock } from '../../../src/base/clock.ts';
import { Fence, fenceOf } from '../../../src/engine/effects/fence.ts';
import { searchFrom } from '../../../src/engine/effects/reconcile.ts';
import type { Destination, Entry } from '../../../src/engine/journal/entry.ts';
import { noDoubtWords } from '../../../src/report/sentences.ts';
import { summaryOf } from '../../../src/report/summary.ts';
import type { RunResult } from '../../../src/engine/interpreter/interpret.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import {
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
import { arrivingLate, shifting } from '../../support/lying.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`
playbook: 1
name: one
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
`);

/** An exchange that accepts duplicate clientOids: only the lookup prevents a second order. */
async function harness(): Promise<Harness> {
  const made = await openHarness();
  made.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
  return made;
}

let runs = 0;

/** The next run on the same exchange: its order has another name. */
function anew(on: Harness): (life?: Life) => Promise<RunResult> {
  on.disk = '';
  const runId = `r-${++runs}`;
  return (life = {}) => live(on, playbook, { runId, ...life });
}

/** How many orders of the run exist on the exchange. */
async function times(on: Harness): Promise<number> {
  const [sending] = entriesOf(on).filter((entry) => entry.kind === 'intended');
  const clientOid = String(Object(sending?.input).clientOid);
  return (await ordersPlaced(on)).get(clientOid) ?? 0;
}

type Wrap = (transport: Transport) => Transport;

const both =
  (outer: Wrap, inner: Wrap): Wrap =>
  (transport) =>
    outer(inner(transport));

const late = 15 * second; // a response that was a minute off ended the wait after 6

/** Number of responses until the late order is visible. */
async function answersInAll(): Promise<number> {
  const on = await harness();
  const counted = { answers: 0 };
  const delayed = arrivingLate(late, on.clock);
  const wrap = both(
    shifting(() => 0, counted),
    delayed.wrap,
  );
  expect((await anew(on)({ wrap })).status).toBe('done');
  return counted.answers;
}

const shifts = [60, 120, 3_600, -60, -3_600].map((seconds) => seconds * second);

describe('an order that arrives 15 s late', () => {
  test.each(shifts)('exists once, whichever response is %i ms off', async (ms) => {
    const all = await answersInAll();
    expect(all).toBeGreaterThan(10);
    const on = await harness();
    for (let liar = 1; liar <= all; liar++) {
      const run = anew(on);
      const delayed = arrivingLate(late, on.clock);
      const off = shifting((nth) => (nth === liar ? ms : 0));
      const { status } = await run({ wrap: both(off, delayed.wrap) });
      await delayed.arrive();
      // The order is signed by the first response: the exchange refuses signatures an hour ahead, for an hour.
      const isSignedAhead = liar === 1 && ms === 3_600 * second;
      const end = isSignedAhead ? ['doubt', 0] : ['done', 1];
      expect([liar, status, await times(on)]).toEqual([liar, ...end]);
    }
  });

  test.each([60, 120, -60])(
    'exists once, if all responses from any point on are %i s off',
    async (by) => {
      const all = await answersInAll();
      const on = await harness();
      for (let first = 1; first <= all; first++) {
        const run = anew(on);
        const off = shifting((nth) => (nth >= first ? by * second : 0));
        await run({ wrap: both(off, arrivingLate(late, on.clock).wrap) });
        const { status } = await run();
        expect([first, status, await times(on)]).toEqual([first, 'done', 1]);
      }
    },
  );

  test.each(shifts)('exists once after a resume, whichever response is %i ms off', async (ms) => {
    const on = await harness();
    for (let liar = 0; liar <= 12; liar++) {
      const run = anew(on);
      const delayed = arrivingLate(late, on.clock);
      await expect(run({ wrap: delayed.wrap, death: sent })).rejects.toThrow();
      const off = shifting((nth) => (liar === 0 || nth === liar ? ms : 0)); // 0: all of them
      await run({ wrap: both(off, delayed.wrap) });
      await delayed.arrive();
      const { status } = await run();
      expect([liar, status, await times(on)]).toEqual([liar, 'done', 1]);
    }
  });
});

/** Crashes after the order is sent, before any lookup. */
const sent = { at: 'request', nth: 3, when: 'before' } as const;

test('an order that was listed only between two searches, and then was between the lists, exists once', async () => {
  const on = await harness();
  const delayed = arrivingLate(29 * second, on.clock);
  const began = on.clock.monotonic();
  const hiding: Wrap = (transport) => (request, signal) => {
    const at = on.clock.monotonic() - began;
    const isListed = (at > 40 * second && at < 42 * second) || at > 51 * second;
    const rule = { match: {}, action: { kind: 'stale-reads', ms: day } };
    on.sandbox.control('PUT', 'faults', { rules: isListed ? [] : [rule] });
    return transport(request, signal);
  };
  const { status } = await anew(on)({ wrap: both(hiding, delayed.wrap) });
  on.sandbox.control('PUT', 'faults', { rules: [] });
  expect([status, await times(on)]).toEqual(['done', 1]);
});

test('a search that was past the fence only by responses from the future does not count', async () => {
  const on = await harness();
  const run = anew(on);
  const delayed = arrivingLate(28 * second, on.clock);
  const began = on.clock.monotonic();
  const passed = (): number => on.clock.monotonic() - began;
  await expect(run({ wrap: delayed.wrap, death: sent })).rejects.toThrow();
  on.clock.advance(2.7 * second);
  // Searches begin at 37.5 s, which seem to be 41.5 s, at 40.5 s and at 49.5 s.
  const off = shifting(() => (passed() < 39 * second ? 4 * second : 0));
  const hiding: Wrap = (transport) => (request, signal) => {
    const isListed = (passed() > 38 * second && passed() < 40 * second) || passed() > 50 * second;
    const rule = { match: {}, action: { kind: 'stale-reads', ms: day } };
    on.sandbox.control('PUT', 'faults', { rules: isListed ? [] : [rule] });
    return transport(request, signal);
  };
  const { status } = await run({ wrap: both(hiding, both(off, delayed.wrap)) });
  on.sandbox.control('PUT', 'faults', { rules: [] });
  expect([status, await times(on)]).toEqual(['done', 1]);
});

describe('an order that never arrives', () => {
  test.each([0, 60, 120, 3_600])('is sent again after the full wait (%i s off)', async (by) => {
    const on = await harness();
    const signedAt: number[] = [];
    const off = shifting((nth) => (nth === 5 ? by * second : 0));
    const onEntry = ({ kind }: Entry): void => {
      if (kind === 'intended') signedAt.push(on.clock.monotonic());
    };
    const wrap = both(off, arrivingLate(Infinity, on.clock).wrap);
    const { status } = await anew(on)({ wrap, onEntry });
    const [first = 0, again = Infinity] = signedAt;
    expect(again - first).toBeGreaterThan(50 * second);
    expect(again - first).toBeLessThan(60 * second);
    expect([status, await times(on)]).toEqual(['done', 1]);
    const words = noDoubtWords(summaryOf(entriesOf(on)));
    expect(words).toBe('none (1 attempt without a response, sent again)');
  });

  test('is not waited for without end if a response sets the exchange’s clock back', async () => {
    const on = await harness();
    const off = shifting((nth) => (nth === 5 ? -3_600 * second : 0));
    const wrap = both(off, arrivingLate(Infinity, on.clock).wrap);
    const { status, exit } = await anew(on)({ wrap });
    expect([status, exit, await times(on)]).toEqual(['doubt', 6, 0]);
    expect(on.clock.monotonic()).toBeLessThan(200 * second);
    const settled = entriesOf(on).find((entry) => entry.kind === 'settled');
    expect(settled).toMatchObject({
      outcome: { lookup: { but: expect.stringMatching(/differ by/) } },
    });
  });
});

test('a resume waits by the local clock if the times of all responses are ahead of it and the run is recent', async () => {
  const on = await harness();
  const run = anew(on);
  const delayed = arrivingLate(25 * second, on.clock);
  const main: Destination = { ...destination, target: 'live' };
  const onLive: Life = { destination: main, visibilities: listedOn(main), onDoubt: 'resend' };
  await expect(run({ ...onLive, wrap: delayed.wrap, death: sent })).rejects.toThrow();
  const off = shifting(() => 29 * second); // the exchange accepts timestamps this far ahead
  const { status } = await run({ ...onLive, wrap: both(off, delayed.wrap) });
  await delayed.arrive();
  expect([status, await times(on)]).toEqual(['done', 1]);
});

test('a response with a contradicting time is reported once per lookup', async () => {
  const on = await harness();
  const off = shifting((nth) => (nth === 5 || nth === 8 ? 120 * second : 0));
  await anew(on)({ wrap: both(off, arrivingLate(late, on.clock).wrap) });
  const outliers = entriesOf(on).filter(({ kind }) => kind === 'clock-outlier');
  expect(outliers).toMatchObject([{ address: 'bid', ms: expect.closeTo(120_000, -3) }]);
});

test('the history is read from one minute before the first signing, or before the current time if that is earlier', () => {
  const signed = [{ signedAt: 500 * second }, { signedAt: 400 * second }];
  expect(searchFrom(signed, 1_000 * second)).toBe(340 * second);
  expect(searchFrom(signed, 390 * second)).toBe(330 * second);
});

test('the wait starts at the last signing of any run', () => {
  const signed = [{ signedAt: 500 * second }, { signedAt: 400 * second }];
  expect(fenceOf(signed)).toBe(540 * second);
});

test('without a response the full wait remains, however old the signing is', () => {
  const clock = standingClock(100 * second);
  const watch = { earliest: () => undefined, dispute: () => 0, end: () => undefined };
  const signed = [{ signedAt: 0, recordedAt: 0 }];
  for (const target of ['live', 'sandbox'] as const) {
    const fence = new Fence(signed, { clock, watch, target });
    expect(fence.left(clock.monotonic())).toBe(40 * second);
  }
});
