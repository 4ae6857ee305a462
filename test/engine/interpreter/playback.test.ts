/** Playback of a recorded run: identical if nothing changed, and the difference if something did. */
import { describe, expect, test } from 'vitest';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import type { Playbook } from '../../../src/language/playbook.ts';
import { faultNames } from '../../../src/rehearsal/simulation/faults.ts';
import { rehearse } from '../../../src/rehearsal/simulation/rehearse.ts';
import { playAgain } from '../../../src/engine/runtime/playback.ts';
import type { Difference } from '../../../src/engine/runtime/recorded-effects.ts';
import { documentRenderer } from '../../../src/report/renderer.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  playbookFrom,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const order = (price: string, size = '0.001'): string => `
    with:${limitOrder({ price, size })}
`;

const inner = `
playbook: 1
name: inner
inputs: { price: { type: decimal } }
steps:
  - id: place
    uses: futures/place-order${order('{{ inputs.price }}')}
outputs: { id: "{{ steps.place.response.orderId }}" }
`;

const text = `
playbook: 1
name: whole
steps:
  - id: ladder
    for-each: ["41000.0", "40500.0"]
    uses: futures/place-order${order('{{ each.value }}')}
  - id: file
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: spot.csv, columns: { symbol: "{{ row.symbol }}" } }
    expect: [{ that: "{{ gt rows 1000 }}", level: warn, message: "only {{ rows }} rows" }]
  - id: within
    uses: ./inner.yaml
    with: { price: "39000.0" }
  - id: never
    if: "{{ eq 1 2 }}"
    uses: market/list-tickers
    with: { category: SPOT }
  - id: pause
    uses: wait
    with: { for: 5s }
  - id: last
    uses: futures/place-order${order('38000.0', 'SIZE')}
on-failure:
  - id: look
    uses: order/list-open
    with: { category: USDT-FUTURES }
outputs: { id: "{{ steps.within.outputs.id }}" }
`;

const others = { 'inner.yaml': inner, './inner.yaml': inner };
const whole = (size = '0.001', change: (all: string) => string = (all) => all): Playbook =>
  playbookFrom(change(text.replace('SIZE', size)), others);

const again = (harness: Harness, playbook: Playbook): Promise<readonly Difference[]> =>
  playAgain({
    playbook,
    inputs: {},
    entries: entriesOf(harness),
    clock: harness.clock,
  });

const refusing =
  (operation: string) =>
  (transport: Transport): Transport =>
  async (request, signal) => {
    if (request.operation === operation) throw new TransportError('no route', 'no');
    return transport(request, signal);
  };

/** The second order never arrives. */
const losing = (transport: Transport): Transport => {
  let orders = 0;
  return async (request, signal) => {
    const isLost = request.operation === 'futures/place-order' && ++orders === 2;
    if (isLost) throw new TransportError('connection reset', 'maybe');
    return transport(request, signal);
  };
};

const draining = new AbortController();
draining.abort();

describe('a replayed run', () => {
  test.each<readonly [string, string, Life, string]>([
    ['done', '0.001', {}, 'done'],
    ['refused by the exchange', '9999999', {}, 'stopped'],
    ['failed at a read', '0.001', { wrap: refusing('market/list-tickers') }, 'stopped'],
    ['in doubt', '0.001', { onDoubt: 'ask', wrap: losing }, 'doubt'],
    ['interrupted', '0.001', { drain: draining.signal }, 'interrupted'],
  ])('that was %s gives the same result', async (_name, size, life, status) => {
    const harness = await openHarness();
    expect((await live(harness, whole(size), life)).status).toBe(status);
    const before = harness.disk;
    expect(await again(harness, whole(size))).toEqual([]);
    expect(harness.disk).toBe(before);
  });

  test.each([3, 6, 9, 12, 15, 18, 21])(
    'that crashed at write %d gives the same result',
    async (nth) => {
      const harness = await openHarness();
      const death = { at: 'journal', nth, when: 'after' } as const;
      await live(harness, whole(), { death }).catch(() => undefined);
      expect(await again(harness, whole())).toEqual([]);
      expect((await liveOn(harness, whole(), {})).status).toBe('done');
      expect(await again(harness, whole())).toEqual([]);
    },
  );

  test('that failed first and was completed by resume gives the same result', async () => {
    const harness = await openHarness();
    await live(harness, whole(), { wrap: refusing('market/list-tickers') });
    expect((await live(harness, whole())).status).toBe('done');
    expect(await again(harness, whole())).toEqual([]);
  });

  test('of any rehearsal gives the same result', async () => {
    const ladder = playbookFrom(`
playbook: 1
name: ladder
steps:
  - id: ladder
    for-each: ["41000.0", "40500.0", "40000.0"]
    parallel: 3
    uses: futures/place-order${order('{{ each.value }}')}
  - id: open
    uses: order/list-open
    with: { category: USDT-FUTURES }
    expect: [{ that: "{{ gt (length response.list) 99 }}", level: warn }]
outputs: { ids: "{{ pluck steps.ladder.outputs 'orderId' }}" }
`);
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { entries } = await rehearse(ladder, seed, {
        inputs: new Map(),
        faults: faultNames,
        time: 1_800_000_000_000,
        program: 'deskhand test',
        documents: documentRenderer('deskhand test'),
      });
      const { clock } = await openHarness();
      const options = { playbook: ladder, inputs: {}, entries, clock, program: 'deskhand later' };
      expect(await playAgain(options)).toEqual([]);
    }
  });
});

describe('a changed playbook', () => {
  const done = async (change: (all: string) => string): Promise<string[]> => {
    const harness = await openHarness();
    await live(harness, whole());
    const differences = await again(harness, whole('0.001', change));
    return differences.map(({ at, was, is }) => `${at}: ${was} | ${is}`);
  };

  test('shows the write that would differ', async () => {
    const [first, ...more] = await done((all) => all.replace('"38000.0"', '"38000.5"'));
    expect(first).toMatch(/^last: .*"price":"38000.0".* \| .*"price":"38000.5"/);
    expect(more).toEqual([]);
  });

  test('shows the items, steps, expectations and outputs that differ', async () => {
    expect(await done((all) => all.replace('"40500.0"]', '"40600.0"]'))).toEqual([
      'ladder[40600.0]: never reached | reached',
      'items of ladder: ["41000.0","40500.0"] | ["41000.0","40600.0"]',
    ]);
    expect(await done((all) => all.replace('level: warn', 'level: error'))).toContain(
      'file: done | failed',
    );
    expect(await done((all) => all.replace('outputs: { id:', 'outputs: { it:'))).toEqual([
      expect.stringMatching(/^outputs: \{"id":"\d+"\} \| \{"it":"\d+"\}$/),
    ]);
    expect(await done((all) => all.replace('eq 1 2', 'eq 1 1'))).toEqual([
      'never: never reached | reached',
    ]);
    expect(await done((all) => all.replace('gt rows 1000', 'gt rows 1'))).toEqual([
      'file, line 24: only 4 rows | nothing',
    ]);
  });
});
