/** A run whose record is full begins nothing more, and finishes what it began: it can always be read again. */
import { expect, test } from 'vitest';
import { hasOpenWrite } from '../../../src/engine/journal/replay.ts';
import { isShortened } from '../../../src/engine/effects/brief.ts';
import { longestRecord, longRecord } from '../../../src/engine/journal/record-bound.ts';
import { playAgain } from '../../../src/engine/runtime/playback.ts';
import { reusable } from '../../../src/engine/runtime/reusable.ts';
import { entriesOf, live, openHarness, ordersPlaced, playbookFrom } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const bids = playbookFrom(`
playbook: 1
name: bids
steps:
  - id: bids
    for-each: ["40000.0", "39900.0", "39800.0"]
    key: "{{ each.value }}"
    parallel: 1
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`);

const placed = async (harness: Awaited<ReturnType<typeof openHarness>>): Promise<number> =>
  [...(await ordersPlaced(harness))].reduce(
    (sum, [name, times]) => sum + (name.startsWith('dh') ? times : 0),
    0,
  );

test('nothing is sent, the run ends, and its record says why', async () => {
  const harness = await openHarness();
  const result = await live(harness, bids, { recorded: longestRecord });
  expect(result.status).toBe('stopped');
  expect(await placed(harness)).toBe(0);
  const said = entriesOf(harness).find(({ kind }) => kind === 'settled');
  expect(said).toMatchObject({ outcome: { code: 'record-full', message: /256 MiB/ } });
});

test('the step that fills it is the last, and a resume sends nothing either', async () => {
  const harness = await openHarness();
  const lives = { recorded: longestRecord - 4_000 };
  expect((await live(harness, bids, lives)).status).toBe('stopped');
  const before = await placed(harness);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(3);
  expect((await live(harness, bids, { recorded: longestRecord })).status).toBe('stopped');
  expect(await placed(harness)).toBe(before);
});

test('an order that was sent before a crash is looked up, although the record is full', async () => {
  const harness = await openHarness();
  for (let nth = 1; nth < 20 && !hasOpenWrite(entriesOf(harness)); nth++) {
    harness.disk = '';
    const life = live(harness, bids, { death: { at: 'request', nth, when: 'after' } });
    await expect(life).rejects.toThrow();
  }
  expect(hasOpenWrite(entriesOf(harness))).toBe(true);
  const before = await placed(harness);
  expect(before).toBeGreaterThan(0);
  await live(harness, bids, { recorded: longestRecord });
  expect(hasOpenWrite(entriesOf(harness))).toBe(false);
  expect(await placed(harness)).toBe(before);
});

const reads = playbookFrom(`
playbook: 1
name: reads
steps:
  - id: unused
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
  - id: used
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
  - id: expected
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
    expect: [{ that: "{{ gt (length response) 1 }}" }]
outputs: { first: "{{ steps.used.response.0.symbol }}" }
`);

const shortenedIn = (harness: Awaited<ReturnType<typeof openHarness>>): readonly string[] =>
  entriesOf(harness).flatMap((entry) =>
    entry.kind === 'settled' && entry.outcome.kind === 'done' && isShortened(entry.outcome.output)
      ? [entry.address]
      : [],
  );

test('a long record has the counts and the digest of a response that nothing uses', async () => {
  const harness = await openHarness();
  const { status, outputs } = await live(harness, reads, { recorded: longRecord });
  expect([status, outputs]).toEqual(['done', { first: expect.any(String) }]);
  expect(shortenedIn(harness)).toEqual(['unused']);
  const { clock } = harness;
  const record = { playbook: reads, inputs: {}, entries: entriesOf(harness), clock };
  expect(await playAgain(record)).toEqual([]);
  await expect(
    reusable({ steps: ['unused'], executed: new Map() }, record, String),
  ).rejects.toThrow(/has no complete record/);
  expect(
    (await reusable({ steps: ['used'], executed: new Map() }, record, String)).steps,
  ).toHaveLength(1);
});

test('a short record has each response whole', async () => {
  const harness = await openHarness();
  await live(harness, reads);
  expect(shortenedIn(harness)).toEqual([]);
});
