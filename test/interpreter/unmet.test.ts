/** A read that stopped the run by what it found is made again by its resume; nothing else is. */
import { expect, test } from 'vitest';
import { playAgain } from '../../src/runtime/playback.ts';
import {
  clientOf,
  entriesOf,
  live,
  openDesk,
  ordersPlaced,
  playbookFrom,
  type Desk,
  type DeathPoint,
} from '../support/desk.ts';
import { limitOrder } from '../support/order.ts';

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

/** An order that someone else placed: what the playbook waits for. */
async function placeOutside(desk: Desk): Promise<void> {
  await clientOf(desk).call('futures/place-order', {
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

const reads = (desk: Desk): number =>
  entriesOf(desk).filter((entry) => entry.kind === 'settled' && entry.address === 'open').length;

const ours = async (desk: Desk): Promise<number[]> =>
  [...(await ordersPlaced(desk))].flatMap(([name, count]) =>
    name.startsWith('dh') ? [count] : [],
  );

test('a resume reads again what stopped the run, and continues when it holds', async () => {
  const desk = await openDesk();
  expect(await live(desk, waiting)).toMatchObject({ status: 'stopped' });
  expect(await live(desk, waiting)).toMatchObject({ status: 'stopped' });
  expect([reads(desk), await ours(desk)]).toEqual([2, []]);
  await placeOutside(desk);
  expect(await live(desk, waiting)).toMatchObject({ status: 'done' });
  expect(await live(desk, waiting)).toMatchObject({ status: 'done' });
  expect([reads(desk), await ours(desk)]).toEqual([3, [1]]);
  const entries = entriesOf(desk);
  const { clock } = desk;
  expect(await playAgain({ playbook: waiting, inputs: {}, entries, clock })).toEqual([]);
});

test('a read that the run continued from is not made again', async () => {
  const desk = await openDesk();
  const continuing = playbook(`${reading('\n    on-error: continue')}${order}`);
  await live(desk, continuing);
  expect([reads(desk), await ours(desk)]).toEqual([1, [1]]);
  await placeOutside(desk);
  await live(desk, continuing);
  expect([reads(desk), await ours(desk)]).toEqual([1, [1]]);
});

test('whenever the resume crashes, the order is placed once', async () => {
  const whole = await openDesk();
  await live(whole, waiting);
  await placeOutside(whole);
  await live(whole, waiting);
  const points = (['journal', 'request'] as const).flatMap((at) =>
    Array.from({ length: whole.counts[at] }, (_, index) => index + 1).flatMap((nth) =>
      (['before', 'after'] as const).map((when): DeathPoint => ({ at, nth, when })),
    ),
  );
  expect(points.length).toBeGreaterThan(15);
  for (const death of points) {
    const desk = await openDesk();
    await live(desk, waiting);
    await placeOutside(desk);
    await live(desk, waiting, { death }).catch(() => undefined);
    expect(await live(desk, waiting), JSON.stringify(death)).toMatchObject({ status: 'done' });
    expect(await ours(desk), JSON.stringify(death)).toEqual([1]);
  }
});
