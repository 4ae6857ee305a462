/** A read whose expectation stopped the run is repeated on resume; nothing else is. */
import { expect, test } from 'vitest';
import { playAgain } from '../../../src/engine/runtime/playback.ts';
import {
  clientOf,
  entriesOf,
  live,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
  type CrashPoint,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const reading = (more = ''): string => `
  - id: open
    uses: order/list-open${more}
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    expect: [{ that: "{{ gt (length response.list) 0 }}" }]`;

const order = `
  - id: order
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}`;

const playbook = (steps: string) => playbookFrom(`playbook: 1\nname: waiting\nsteps:${steps}\n`);
const waiting = playbook(`${reading()}${order.replace('uses:', 'needs: [open]\n    uses:')}`);

/** Another person's order, which the playbook waits for. */
async function placeOutside(harness: Harness): Promise<void> {
  await clientOf(harness).call('futures/place-order', {
    productType: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    side: 'buy',
    tradeSide: 'open',
    orderType: 'limit',
    size: '0.010',
    price: '39000.0',
    clientOid: 'outside',
  });
}

const reads = (harness: Harness): number =>
  entriesOf(harness).filter((entry) => entry.kind === 'settled' && entry.address === 'open').length;

const ours = async (harness: Harness): Promise<number[]> =>
  [...(await ordersPlaced(harness))].flatMap(([name, count]) =>
    name.startsWith('dh') ? [count] : [],
  );

test('a resume reads again what stopped the run, and continues when it holds', async () => {
  const harness = await openHarness();
  expect(await live(harness, waiting)).toMatchObject({ status: 'stopped' });
  expect(await live(harness, waiting)).toMatchObject({ status: 'stopped' });
  expect([reads(harness), await ours(harness)]).toEqual([2, []]);
  await placeOutside(harness);
  expect(await live(harness, waiting)).toMatchObject({ status: 'done' });
  expect(await live(harness, waiting)).toMatchObject({ status: 'done' });
  expect([reads(harness), await ours(harness)]).toEqual([3, [1]]);
  const entries = entriesOf(harness);
  const { clock } = harness;
  expect(await playAgain({ playbook: waiting, inputs: {}, entries, clock })).toEqual([]);
});

test('a read that the run continued from is not made again', async () => {
  const harness = await openHarness();
  const continuing = playbook(`${reading('\n    on-error: continue')}${order}`);
  await live(harness, continuing);
  expect([reads(harness), await ours(harness)]).toEqual([1, [1]]);
  await placeOutside(harness);
  await live(harness, continuing);
  expect([reads(harness), await ours(harness)]).toEqual([1, [1]]);
});

test('whenever the resume crashes, the order is placed once', async () => {
  const whole = await openHarness();
  await live(whole, waiting);
  await placeOutside(whole);
  await live(whole, waiting);
  const points = (['journal', 'request'] as const).flatMap((at) =>
    Array.from({ length: whole.counts[at] }, (_, index) => index + 1).flatMap((nth) =>
      (['before', 'after'] as const).map((when): CrashPoint => ({ at, nth, when })),
    ),
  );
  expect(points.length).toBeGreaterThan(15);
  for (const death of points) {
    const harness = await openHarness();
    await live(harness, waiting);
    await placeOutside(harness);
    await live(harness, waiting, { death }).catch(() => undefined);
    expect(await live(harness, waiting), JSON.stringify(death)).toMatchObject({ status: 'done' });
    expect(await ours(harness), JSON.stringify(death)).toEqual([1]);
  }
});
