/** A run that takes over the results of an earlier one: what that run wrote is never sent again, wherever it crashes. */
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/engine/interpreter/interpret.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import type { Reused } from '../../../src/engine/journal/reused.ts';
import { sentIn } from '../../../src/engine/plan/sent.ts';
import { playAgain } from '../../../src/engine/runtime/playback.ts';
import {
  refuseUnended,
  reusable,
  type ExecuteToo,
  type Kept,
} from '../../../src/engine/runtime/reusable.ts';
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

const executeToo: ExecuteToo = (id) => `execute ${id}, too`;

const desk = playbookFrom(`
playbook: 1
name: desk
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
    outputs: { price: "{{ mul each.value.price 1 }}" }
  - id: quote
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ floorTo (mul response.0.lastPrice 0.6) 0.1 }}" }
  - id: never
    if: "{{ gt 1 2 }}"
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
    write: { file: market.csv, unique: [symbol] }
  - id: last
    uses: futures/place-order
    with:${limitOrder({ price: '{{ steps.quote.outputs.price }}' })}
  - id: table
    uses: report/table
    with: { from: market, sort: [symbol], first: 2 }
    write: { file: table.csv, overwrite: true }
outputs:
  prices: "{{ steps.ladder.outputs }}"
  file: "{{ steps.market.file }}"
  rows: "{{ steps.market.rows }}"
  last: "{{ steps.last.response.orderId }}"
`);

const reusedIds = ['leverage', 'ladder', 'quote', 'never', 'market'];

/** A desk on which a run has ended, with what another may take over, and an empty journal for that one. */
async function afterFirst(): Promise<{
  harness: Harness;
  reused: Reused;
  first: readonly Entry[];
}> {
  const harness = await openHarness();
  const result = await live(harness, desk, { runId: 'r-first' });
  expect(result.status).toBe('done');
  const first = entriesOf(harness);
  const reused = await reusedOf(first, harness);
  harness.disk = '';
  harness.synced = '';
  return { harness, reused, first };
}

/** Steps that are reused, while no step is executed for some of its items. */
function keeping(steps: readonly string[]): Kept {
  return { steps, executed: new Map() };
}

async function reusedOf(entries: readonly Entry[], { clock }: Harness): Promise<Reused> {
  const [started] = entries;
  if (started?.kind !== 'started') throw new Error('no start');
  const { inputs } = resolveInputs(desk, new Map(), { time: new Moment(started.time) });
  const recorded = { playbook: desk, inputs, entries, clock };
  const results = await reusable(keeping(reusedIds), recorded, executeToo);
  return { run: started.run, from: ['last'], journal: 'j', ...results };
}

/** A result without the id that the exchange gave the last order. */
function withoutId({ outputs, ...result }: RunResult): object {
  return { ...result, outputs: { ...Object(outputs), last: 'an id' } };
}

describe('a run from a step of an earlier run', () => {
  test('sends only what is not reused, and counts only that', async () => {
    const { harness, reused, first } = await afterFirst();
    const before = await ordersPlaced(harness);
    const result = await live(harness, desk, { runId: 'r-second', reused });
    expect(result).toMatchObject({ status: 'done', exit: 0 });
    const entries = entriesOf(harness);
    expect(entries.flatMap((entry) => (entry.kind === 'intended' ? entry.address : []))).toEqual([
      'last',
    ]);
    expect(sentIn(entries).map(({ address }) => address)).toEqual(['last']);
    const after = await ordersPlaced(harness);
    expect([...after.values()].every((times) => times === 1)).toBe(true);
    expect(after.size - before.size).toBe(1);
    const end = first.at(-1);
    const { last: _then, ...was } = Object(end?.kind === 'finished' && end.outputs);
    const { last: _now, ...is } = Object(result.outputs);
    expect(is).toEqual(was); // exact values, in their types
    const closed = entries.flatMap((entry) =>
      entry.kind === 'closed' ? [[entry.step, entry.status, entry.reused, entry.because]] : [],
    );
    expect(closed).toEqual([
      ['leverage', 'done', 'r-first', 'reused from r-first: 1 other write'],
      ['ladder', 'done', 'r-first', 'reused from r-first: 3 orders'],
      ['quote', 'done', 'r-first', expect.stringContaining('reused from r-first: {"price":')],
      ['never', 'skipped', 'r-first', 'reused from r-first: skipped'],
      [
        'market',
        'done',
        'r-first',
        expect.stringMatching(/^reused from r-first: market.csv, \d+ rows$/),
      ],
      ['last', 'done', undefined, undefined],
      ['table', 'done', undefined, undefined],
    ]);
  });

  test('crashing at every journal write and every request, it ends as the unbroken one', async () => {
    const whole = await afterFirst();
    const { reused } = whole;
    const unbroken = await live(whole.harness, desk, { runId: 'r-second', reused });
    const { counts } = whole.harness;
    const points = (['journal', 'request'] as const).flatMap((at) =>
      Array.from({ length: counts[at] }, (_, index) => index + 1).flatMap((nth) =>
        (['before', 'after'] as const).flatMap((when) =>
          [false, true].map((isPowerCut): CrashPoint => ({ at, nth, when, isPowerCut })),
        ),
      ),
    );
    expect(points.length).toBeGreaterThan(30);
    for (const death of points) {
      const { harness, reused: own } = await afterFirst();
      const result = await liveOn(harness, desk, { runId: 'r-second', reused: own, death });
      expect(withoutId(result), JSON.stringify(death)).toEqual(withoutId(unbroken));
      const ours = [...(await ordersPlaced(harness))].filter(([name]) => name.startsWith('dh'));
      expect(
        ours.map(([, times]) => times),
        JSON.stringify(death),
      ).toEqual(Array(5).fill(1)); // 3 + 1 + 1
    }
  });

  test('a resumed run takes the results from its own journal, whatever its caller says', async () => {
    const { harness, reused } = await afterFirst();
    const death = { at: 'journal', nth: 3, when: 'after' } as const;
    await expect(live(harness, desk, { runId: 'r-second', reused, death })).rejects.toThrow();
    expect((await live(harness, desk, { runId: 'r-second' })).status).toBe('done');
    const addresses = entriesOf(harness).flatMap((each) =>
      each.kind === 'intended' ? each.address : [],
    );
    expect(new Set(addresses)).toEqual(new Set(['last']));
  });

  test('its journal is replayed to the same result, and its steps are reused as those of the first run', async () => {
    const { harness, reused } = await afterFirst();
    await live(harness, desk, { runId: 'r-second', reused });
    const entries = entriesOf(harness);
    const { clock } = harness;
    const { inputs } = resolveInputs(desk, new Map(), { time: new Moment(0) });
    expect(await playAgain({ playbook: desk, inputs, entries, clock })).toEqual([]);
    const again = await reusedOf(entries, harness);
    expect(again.steps).toEqual(reused.steps);
    const all = [...reusedIds, 'last'];
    const recorded = { playbook: desk, inputs, entries, clock };
    const { steps } = await reusable(keeping(all), recorded, executeToo);
    expect(steps.map(({ id, run }) => `${id} ${run}`)).toEqual([
      'leverage r-first',
      'ladder r-first',
      'quote r-first',
      'never r-first',
      'market r-first',
      'last r-second',
    ]);
  });
});

describe('a run that is not over is refused, with the command that continues it', () => {
  const failing = playbookFrom(`
playbook: 1
name: failing
account: main
steps:
  - id: first
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
  - id: second
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
    expect: [{ that: "{{ gt 1 2 }}" }]
`);

  function refusal(entries: readonly Entry[]): string {
    const [started] = entries;
    if (started?.kind !== 'started') throw new Error('no start');
    try {
      refuseUnended(started, entries);
      return 'none';
    } catch (error) {
      return `${Object(error).message} | ${Object(error).hint}`;
    }
  }

  test('one that stopped, one that is in doubt, one that was interrupted, one without an end', async () => {
    const harness = await openHarness();
    await live(harness, failing);
    const stopped = entriesOf(harness);
    expect(refusal(stopped)).toBe(
      'r-test can be resumed from its failure; nothing was sent | continue it: deskhand resume r-test; if the playbook must change first: deskhand runs set-aside r-test --reason WHY',
    );
    expect(refusal(stopped.slice(0, -1))).toContain('r-test did not end');
    const interrupted = stopped.map((entry) =>
      entry.kind === 'finished' ? { ...entry, status: 'interrupted' as const } : entry,
    );
    expect(refusal(interrupted)).toContain('r-test was interrupted');
    const doubtful = stopped.filter(({ kind }) => kind !== 'settled');
    expect(replay(doubtful).size).toBeGreaterThan(0);
    expect(refusal(doubtful)).toBe(
      'r-test is in doubt; nothing was sent | settle it: deskhand resume r-test',
    );
  });

  test('a step that failed is never reused', async () => {
    const harness = await openHarness();
    await live(harness, failing);
    const entries = entriesOf(harness);
    const { clock } = harness;
    const recorded = { playbook: failing, inputs: {}, entries, clock };
    await expect(
      reusable(keeping(['first', 'second']), recorded, executeToo),
    ).rejects.toMatchObject({
      message:
        'step second was failed in r-test, and only what is done can be reused; nothing was sent',
      hint: 'execute second, too',
    });
  });
});
