/** A run that executes a step for some of its items: those of an earlier run are never sent again, wherever it crashes. */
import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/engine/interpreter/interpret.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import type { Reused } from '../../../src/engine/journal/reused.ts';
import { playAgain } from '../../../src/engine/runtime/playback.ts';
import { reusable } from '../../../src/engine/runtime/reusable.ts';
import { writesBeside } from '../../../src/engine/runtime/written-by.ts';
import { Moment } from '../../../src/language/expression/value.ts';
import { resolveInputs } from '../../../src/language/inputs.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type CrashPoint,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

/** @param last the price of the third order */
function desk(last: string) {
  return playbookFrom(`
playbook: 1
name: desk
account: main
steps:
  - id: bids
    for-each: [{ price: "40000.0" }, { price: "40001.0" }, { price: "${last}" }, { price: "40003.0" }]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value.price }}' })}
    outputs: { id: "{{ response.orderId }}", price: "{{ mul each.value.price 1 }}" }
  - id: tickers
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
outputs:
  bids: "{{ steps.bids.outputs }}"
`);
}

const first = desk('40002.0');
const corrected = desk('40002.5');

/** A desk on which a run has ended, with its items but the third, and an empty journal for another run. */
async function afterFirst(): Promise<{ harness: Harness; reused: Reused }> {
  const harness = await openHarness();
  expect((await live(harness, first, { runId: 'r-first' })).status).toBe('done');
  const reused = await itemsOf(harness, first, '2');
  harness.disk = '';
  harness.synced = '';
  return { harness, reused };
}

/** What another run takes over of the run in the journal, if it executes one item again. */
async function itemsOf(
  harness: Harness,
  playbook: ReturnType<typeof desk>,
  key: string,
): Promise<Reused> {
  const entries = entriesOf(harness);
  const [started] = entries;
  if (started?.kind !== 'started') throw new Error('no start');
  const { inputs } = resolveInputs(playbook, new Map(), { time: new Moment(started.time) });
  const recorded = { playbook, inputs, entries, clock: harness.clock };
  const kept = { steps: [], executed: new Map([['bids', new Set([key])]]) };
  const results = await reusable(kept, recorded, String);
  return { run: started.run, from: [`bids[${key}]`], journal: 'j', ...results };
}

function sentIn(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'intended' ? entry.address : []));
}

/** A result without the ids that the exchange gave to the orders of this run. */
function comparable({ outputs, ...result }: RunResult): object {
  const { bids } = Object(outputs);
  return { ...result, bids: { ...bids, 2: bids[2].price } };
}

test('the run sends the other items only, and has the outputs of all, over what was recorded', async () => {
  const { harness, reused } = await afterFirst();
  const before = await ordersPlaced(harness);
  const result = await live(harness, corrected, { runId: 'r-second', reused });
  expect(result).toMatchObject({ status: 'done', exit: 0 });
  expect(Object.keys(Object(result.outputs).bids)).toEqual(['0', '1', '2', '3']);
  const entries = entriesOf(harness);
  expect(sentIn(entries)).toEqual(['bids[2]']);
  const opened = entries.flatMap((each) => (each.kind === 'opened' ? [each.items] : []));
  expect(opened).toEqual([['2'], undefined]);
  const after = await ordersPlaced(harness);
  expect(after.size - before.size).toBe(1);
  const { inputs } = resolveInputs(corrected, new Map(), { time: new Moment(0) });
  const { clock } = harness;
  expect(await playAgain({ playbook: corrected, inputs, entries, clock })).toEqual([]);
});

test('crashing at every journal write and every request, it ends as the unbroken one', async () => {
  const whole = await afterFirst();
  const unbroken = await live(whole.harness, corrected, {
    runId: 'r-second',
    reused: whole.reused,
  });
  const { counts } = whole.harness;
  const points = (['journal', 'request'] as const).flatMap((at) =>
    Array.from({ length: counts[at] }, (_, index) => index + 1).flatMap((nth) =>
      (['before', 'after'] as const).flatMap((when) =>
        [false, true].map((isPowerCut): CrashPoint => ({ at, nth, when, isPowerCut })),
      ),
    ),
  );
  expect(points.length).toBeGreaterThan(20);
  for (const death of points) {
    const { harness, reused } = await afterFirst();
    const result = await liveOn(harness, corrected, { runId: 'r-second', reused, death });
    expect(comparable(result), JSON.stringify(death)).toEqual(comparable(unbroken));
    const ours = [...(await ordersPlaced(harness))].filter(([name]) => name.startsWith('dh'));
    expect(
      ours.map(([, times]) => times),
      JSON.stringify(death),
    ).toEqual(Array(5).fill(1)); // 4 of the first run, 1 of the second
  }
});

test('a third run has the items of both, each of the run that sent it', async () => {
  const { harness, reused } = await afterFirst();
  await live(harness, corrected, { runId: 'r-second', reused });
  const third = await itemsOf(harness, corrected, '3');
  expect(third.items?.map(({ key, run }) => `${key} ${run}`)).toEqual([
    '0 r-first',
    '1 r-first',
    '2 r-second',
  ]);
  const beside = writesBeside(['bids[0]', 'bids[1]', 'bids[2]'], entriesOf(harness));
  expect(beside.map(({ address }) => address)).toEqual(['bids[3]']);
});

test('an item that is another one at its position, or gone, sends nothing', async () => {
  for (const [other, problem] of [
    [
      '[{ price: "40000.0" }, { price: "41001.0" }, { price: "40002.5" }, { price: "40003.0" }]',
      'bids[1], which r-first did, is another item now: only its position identifies it',
    ],
    [
      '[{ price: "40000.0" }, { price: "40001.0" }, { price: "40002.5" }]',
      'bids[3], which r-first did, is not among the items of the step now',
    ],
  ] as const) {
    const { harness, reused } = await afterFirst();
    const text = /\[\{ price[^\n]*\]/;
    const playbook = playbookFrom(corrected.text.replace(text, other));
    const result = await live(harness, playbook, { runId: 'r-second', reused });
    expect(result.status).toBe('stopped');
    const [closed] = entriesOf(harness).filter(({ kind }) => kind === 'closed');
    expect(closed).toMatchObject({ step: 'bids', because: problem });
    expect(sentIn(entriesOf(harness))).toEqual([]);
  }
});
