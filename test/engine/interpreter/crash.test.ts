/** Crashes at every journal write and every request, with and without a power cut, each followed by a resume. */
import { expect, test } from 'vitest';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { checkTrace } from '../../model/trace.ts';
import { Tracer } from '../../model/tracer.ts';
import {
  entriesOf,
  liveOn,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type CrashPoint,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

/** Every effect class in one playbook: a set, keyed orders, a once write, a read with a file. */
const everyEffect = playbookFrom(`
playbook: 1
name: every-effect
account: main
steps:
  - id: leverage
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "5" }
  - id: ladder
    for-each: "{{ ladder from='41000.0' to='40000.0' count=3 tick='0.1' total='0.006' lot='0.001' }}"
    key: "{{ each.value.price }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}' })}
  - id: sub
    uses: account/create-sub
    with: { username: crashtest }
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
    write: { file: market.csv, unique: [symbol] }
`);

async function allPoints(): Promise<readonly CrashPoint[]> {
  const harness = await openHarness();
  const result = await liveOn(harness, everyEffect, {});
  expect(result.status).toBe('done');
  const { counts } = harness;
  return (['journal', 'request'] as const).flatMap((at) =>
    Array.from({ length: counts[at] }, (_, index) => index + 1).flatMap((nth) =>
      (['before', 'after'] as const).flatMap((when) =>
        [false, true].map((isPowerCut) => ({ at, nth, when, isPowerCut })),
      ),
    ),
  );
}

/** What must hold however a run ended: each order exists once, and doubts are reported. */
async function expectNothingTwice(harness: Harness): Promise<void> {
  const known = replay(entriesOf(harness));
  const placed = await ordersPlaced(harness);
  for (const [address, { outcome }] of known) {
    if (!address.startsWith('ladder[') || outcome?.kind !== 'done') continue;
    const output = outcome.output as { clientOid: string };
    expect(placed.get(output.clientOid), address).toBe(1);
  }
  const ours = [...placed].filter(([clientOid]) => clientOid.startsWith('dh'));
  expect(ours.every(([, times]) => times === 1)).toBe(true);
  expect(ours.length).toBeLessThanOrEqual(3);
}

/** Traces each life: the wire is made once for each. */
function traced(harness: Harness): { tracer: Tracer; wrap: (wire: Transport) => Transport } {
  const tracer = new Tracer(() => harness.synced);
  const wrap =
    (wire: Transport): Transport =>
    async (request, signal) => {
      tracer.sends(request);
      const response = await wire(request, signal);
      tracer.executes(request, response);
      return response;
    };
  return {
    tracer,
    wrap: (wire) => {
      tracer.begins();
      return wrap(wire);
    },
  };
}

test('crashing at every journal write and every request, each order exists exactly once', async () => {
  for (const death of await allPoints()) {
    const harness = await openHarness();
    const { tracer, wrap } = traced(harness);
    const result = await liveOn(harness, everyEffect, { death, wrap });
    await expectNothingTwice(harness);
    expect(checkTrace(tracer.trace), JSON.stringify(death)).toBeUndefined();
    const placed = [...(await ordersPlaced(harness)).keys()].filter((id) => id.startsWith('dh'));
    expect(placed, JSON.stringify(death)).toHaveLength(3);
    // Only sub-accounts have no list to search: a lost response is a doubt and is never retried.
    const doubts = [...replay(entriesOf(harness))].filter(
      ([, { outcome }]) => outcome?.kind === 'doubt',
    );
    expect(doubts.every(([address]) => address === 'sub')).toBe(true);
    expect(result.exit, JSON.stringify(death)).toBe(doubts.length === 0 ? 0 : 6);
  }
});

test('with on-doubt: ask, an order whose response was lost is looked up and never sent again', async () => {
  for (const death of await allPoints()) {
    const harness = await openHarness();
    const { tracer, wrap } = traced(harness);
    await liveOn(harness, everyEffect, { death, wrap, onDoubt: 'ask' });
    await expectNothingTwice(harness);
    expect(checkTrace(tracer.trace), JSON.stringify(death)).toBeUndefined();
  }
});
