/** Playbooks that use playbooks: checked together, run as one, resumed from anywhere. */
import { describe, expect, test } from 'vitest';
import { replay } from '../../../src/engine/journal/replay.ts';
import { loadPlaybook } from '../../../src/language/load.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  planOn,
  playbookFrom,
  type CrashPoint,
  type Life,
} from '../../support/harness.ts';

const entry = (changes = ''): string => `
playbook: 1
name: entry
inputs:
  symbol: { type: enum, values: [LINKUSDT, AVAXUSDT] }
  size: { type: decimal, minimum: 1 }
${changes}
steps:
  - id: bid
    uses: futures/place-order
    with:
      symbol: "{{ inputs.symbol }}"
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      price: "10"
      size: "{{ inputs.size }}"
outputs:
  id: "{{ steps.bid.outputs.orderId }}"
  size: "{{ inputs.size }}"
`;

const main = `
playbook: 1
name: desks
steps:
  - id: entries
    for-each: [LINKUSDT, AVAXUSDT]
    uses: ./parts/entry.yaml
    with: { symbol: "{{ each.value }}", size: "3" }
  - id: look
    uses: order/list-open
    with: { category: USDT-FUTURES }
    expect:
      - that: "{{ containsAll (pluck response.list 'orderId') (pluck steps.entries.outputs 'id') }}"
outputs:
  sizes: "{{ pluck steps.entries.outputs 'size' }}"
`;
const others = { 'parts/entry.yaml': entry() };
const nested = playbookFrom(main, others);

test('a nested playbook that was stopped before its finally is continued', async () => {
  const harness = await openHarness();
  const read = (id: string, category: string): string =>
    `  - { id: ${id}, uses: market/list-tickers, with: { category: ${category} } }\n`;
  const text = `playbook: 1\nname: part\nsteps:\n${read('first', 'SPOT')}finally:\n${read('last', 'COIN-FUTURES')}`;
  const outer = 'playbook: 1\nname: outer\nsteps:\n  - { id: part, uses: ./part.yaml, with: {} }\n';
  const playbook = playbookFrom(outer, { 'part.yaml': text });
  const stop = new AbortController();
  const wrap: Life['wrap'] = (transport) => async (request, signal) => {
    if (request.operation === 'market/list-tickers') stop.abort();
    return transport(request, signal);
  };
  expect((await live(harness, playbook, { drain: stop.signal, wrap })).status).toBe('interrupted');
  expect((await live(harness, playbook)).status).toBe('done');
  expect(replay(entriesOf(harness)).get('part/last')?.outcome?.kind).toBe('done');
});

describe('a nested playbook', () => {
  test('runs for each item, under its address, with its own inputs and outputs', async () => {
    const harness = await openHarness();
    const { status, outputs } = await live(harness, nested);
    expect({ status, outputs }).toEqual({
      status: 'done',
      outputs: { sizes: ['3', '3'] },
    });
    expect([...replay(entriesOf(harness)).keys()]).toEqual([
      'entries[LINKUSDT]/bid',
      'entries[LINKUSDT]',
      'entries[AVAXUSDT]/bid',
      'entries[AVAXUSDT]',
      'look',
    ]);
    expect(entriesOf(harness)[0]).toMatchObject({
      playbook: { includes: [{ file: 'parts/entry.yaml', text: entry() }] },
    });
  });

  test('is planned step by step, within its own limits', async () => {
    const harness = await openHarness();
    const tight = { 'parts/entry.yaml': entry('guards: { max-order-notional: "20" }') };
    const plan = await planOn(harness, playbookFrom(main, tight));
    expect(plan.steps.map(({ id }) => id)).toEqual([
      'entries',
      'entries[LINKUSDT]/bid',
      'entries[AVAXUSDT]/bid',
      'look',
    ]);
    expect(plan.totals).toMatchObject({ create: 2, orders: 2 });
    expect(plan.guards).toMatchObject([
      { guard: 'max-order-notional of entries[LINKUSDT]', isKept: false },
      { guard: 'max-order-notional of entries[AVAXUSDT]', isKept: false },
    ]);
    const result = await live(harness, playbookFrom(main, tight));
    expect(result).toMatchObject({ status: 'stopped', exit: 5 });
    expect([...(await ordersPlaced(harness)).keys()].filter((id) => id.startsWith('dh'))).toEqual(
      [],
    );
  });

  test('changes the digest of a plan when its text changes', async () => {
    const harness = await openHarness();
    const before = await planOn(harness, nested);
    const changed = { 'parts/entry.yaml': `${entry()}# changed\n` };
    const after = await planOn(harness, playbookFrom(main, changed));
    expect(after.playbook.digest).toBe(before.playbook.digest);
    expect(after.digest).not.toBe(before.digest);
  });

  test('names its failed step, and later steps are not run', async () => {
    const harness = await openHarness();
    const wrong = { 'parts/entry.yaml': entry().replace('price: "10"', 'price: "10.00001"') };
    const { status } = await live(harness, playbookFrom(main, wrong), { hasTerms: false });
    expect(status).toBe('stopped');
    const { outcome } = replay(entriesOf(harness)).get('entries[LINKUSDT]') ?? {};
    expect(outcome).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('entries[LINKUSDT]/bid: '),
    });
    expect(replay(entriesOf(harness)).has('look')).toBe(false);
  });

  test('places each order once, wherever the process crashes', async () => {
    const whole = await openHarness();
    await live(whole, nested);
    const points = (['journal', 'request'] as const).flatMap((at) =>
      Array.from({ length: whole.counts[at] }, (_, place) => place + 1).flatMap((nth) =>
        (['before', 'after'] as const).map((when): CrashPoint => ({ at, nth, when })),
      ),
    );
    for (const death of points) {
      const harness = await openHarness();
      const { status } = await liveOn(harness, nested, { death });
      expect(status, JSON.stringify(death)).toBe('done');
      const ours = [...(await ordersPlaced(harness))].filter(([id]) => id.startsWith('dh'));
      expect(ours.map(([, times]) => times)).toEqual([1, 1]);
    }
  });
});

describe('validation', () => {
  const problemsOf = (text: string, files: Readonly<Record<string, string>> = others): string[] =>
    loadPlaybook(text, 'main.yaml', { include: (file) => files[file] }).problems.map(
      ({ code, message, at }) => `${at.file}:${at.start.line} ${code} ${message}`,
    );

  test('a valid pair has no problems', () => expect(problemsOf(main)).toEqual([]));

  test.each([
    ['size: "3"', 'sise: "2.50"', 'main.yaml:8 PB202 entry has no input "sise"'],
    ['size: "3"', 'size: "0.5"', 'main.yaml:8 PB204 size: 0.5 is below 1'],
    ['size: "3"', 'size: "{{ run.time }}"', 'main.yaml:8 PB305 size expects decimal, found time'],
    ["outputs 'id'", "outputs 'ids'", 'main.yaml:13 PB304 '],
    ['./parts/entry.yaml', './parts/entri.yaml', 'main.yaml:7 PB411 playbook not found: '],
    ['./parts/entry.yaml', '../entry.yaml', 'main.yaml:7 PB411 ../entry.yaml is outside'],
    ['./parts/entry.yaml', './main.yaml', 'main.yaml:7 PB410 playbooks use each other'],
    ['./parts/entry.yaml', 'parts/entry', 'main.yaml:7 PB201 unknown operation'],
  ])('%s as %s', (good, bad, problem) => {
    const found = problemsOf(main.replace(good, bad));
    expect(
      found.some((line) => line.startsWith(problem)),
      found.join('\n'),
    ).toBe(true);
    expect(found.length).toBeLessThanOrEqual(2);
  });

  test('problems of the nested file are reported there, once, however often it is used', () => {
    const files = { 'parts/entry.yaml': entry().replace('inputs.size', 'inputs.sise') };
    const twice = `${main.split('outputs:\n  sizes')[0]}  - id: more
    uses: ./parts/entry.yaml
    with: { symbol: LINKUSDT, size: 3 }
`;
    const found = problemsOf(twice, files);
    expect(found.filter((line) => line.startsWith('parts/entry.yaml:'))).toHaveLength(1);
    expect(found[0]).toMatch(/PB304 inputs has no "sise"/);
  });

  test('a cycle of three is named completely; nine levels are too deep', () => {
    const using = (file: string): string =>
      `playbook: 1\nname: a\nsteps:\n  - { id: a, uses: ./${file} }\n`;
    const circle = { 'b.yaml': using('c.yaml'), 'c.yaml': using('b.yaml') };
    expect(problemsOf(using('b.yaml'), circle)).toEqual([
      'c.yaml:4 PB410 playbooks use each other: b.yaml → c.yaml → b.yaml',
    ]);
    const deep = Object.fromEntries(
      Array.from({ length: 12 }, (_, level) => [`d${level}.yaml`, using(`d${level + 1}.yaml`)]),
    );
    expect(problemsOf(using('d0.yaml'), deep)).toEqual([
      'd7.yaml:4 PB411 playbooks are nested deeper than 8',
    ]);
  });
});
