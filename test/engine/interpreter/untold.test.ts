/** A possibly executed write is always reported as such, whatever else fails at the same time. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { day } from '../../../src/base/clock.ts';
import {
  TransportError,
  type Transport,
  type WireResponse,
} from '../../../src/exchange/api/exchange.ts';
import type { OperationName } from '../../../src/exchange/api/operations/index.ts';
import { doubtsIn } from '../../../src/engine/effects/doubts.ts';
import {
  entriesOf,
  live,
  openHarness,
  playbookFrom,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { order as shownOrder } from '../../support/lists.ts';
import { limitOrder } from '../../support/order.ts';
import { answer, success } from '../../support/scripted.ts';

const order = (more = ''): string => `
  - id: bid
    uses: futures/place-order
${more}    with:${limitOrder({ price: '40000.0' })}
`;
const leverage = `
  - { id: leverage, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: "5" } }
`;
const playbook = (steps: string) => playbookFrom(`playbook: 1\nname: untold\nsteps:${steps}`);

/** Answers an operation instead of the exchange. */
const instead =
  (name: OperationName, serve: (nth: number) => WireResponse) =>
  (transport: Transport): Transport => {
    let nth = 0;
    return async (request, signal) =>
      request.operation === name ? serve(++nth) : transport(request, signal);
  };

const refused = (): WireResponse => answer({ code: '40014' }, { status: 400 });
const lost = (): WireResponse => {
  throw new TransportError('connection reset', 'maybe');
};

/** A first process that crashes with its last request, a recorded and sent write. */
async function diedAt(steps: string): Promise<Harness> {
  const whole = await openHarness();
  await live(whole, playbook(steps));
  const harness = await openHarness();
  const death = { at: 'request', nth: whole.counts.request, when: 'before' } as const;
  await expect(live(harness, playbook(steps), { death })).rejects.toThrow();
  expect(doubtsIn(entriesOf(harness))).toHaveLength(1);
  return harness;
}

async function endOf(harness: Harness, steps: string, life: Life = {}): Promise<unknown[]> {
  const { status, exit } = await live(harness, playbook(steps), life);
  return [status, exit];
}

test('an order whose lists form a cycle stays in doubt', async () => {
  const harness = await openHarness();
  const circle = instead('order/list-open', () =>
    success({ list: [shownOrder({ id: 1, at: 1 })], cursor: '1' }),
  );
  const wrap = (transport: Transport): Transport =>
    circle(instead('futures/place-order', lost)(transport));
  expect(await endOf(harness, order(), { wrap })).toEqual(['doubt', 6]);
});

test('an order of an earlier process stays in doubt if the first lookup cannot read', async () => {
  const steps = order('    once-per: playbook\n');
  const harness = await diedAt(steps);
  const wrap = instead('order/list-open', refused);
  expect(await endOf(harness, steps, { wrap })).toEqual(['doubt', 6]);
});

test('an order older than the history does not count as absent', async () => {
  const harness = await diedAt(order());
  harness.clock.advance(91 * day);
  expect(await endOf(harness, order())).toEqual(['doubt', 6]);
});

test('a value that may have been set is in doubt when the next attempt is refused', async () => {
  const harness = await openHarness();
  const wrap = instead('futures/set-all-leverage', (nth) => (nth === 1 ? lost() : refused()));
  expect(await endOf(harness, leverage, { wrap })).toEqual(['doubt', 6]);
});

test('a value set by an earlier process is in doubt when the resumed attempt is refused', async () => {
  const harness = await diedAt(leverage);
  const wrap = instead('futures/set-all-leverage', refused);
  expect(await endOf(harness, leverage, { wrap })).toEqual(['doubt', 6]);
  expect(await endOf(harness, leverage)).toEqual(['done', 0]);
});

test('a write that the resumed run does not reach is in doubt', async () => {
  const steps = `\n  - { id: page, uses: report/page, with: { file: page.html } }\n${order()}`;
  const harness = await diedAt(steps);
  const page = join(harness.workspace, 'page.html');
  await rm(page);
  await mkdir(page);
  expect(await endOf(harness, steps)).toEqual(['doubt', 6]);
});
