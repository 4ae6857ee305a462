/** Doubts settled by the exchange alone: what one full, fenced search proves. */
import { expect, test } from 'vitest';
import { second } from '../../../src/base/clock.ts';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import { doubtsIn, type InDoubt } from '../../../src/engine/effects/doubts.ts';
import {
  lookUpDoubt,
  type DoubtContext,
  type DoubtFinding,
} from '../../../src/engine/effects/look-up-doubt.ts';
import { Searches } from '../../../src/engine/effects/searches.ts';
import {
  clientOf,
  destination,
  entriesOf,
  live,
  openHarness,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`
playbook: 1
name: bids
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
`);

/** A run in doubt about its only order, which never arrived. */
async function doubted(): Promise<{ readonly on: Harness; readonly doubt: InDoubt }> {
  const on = await openHarness();
  const lost =
    (transport: Transport): Transport =>
    (request, signal) =>
      request.operation === 'futures/place-order'
        ? Promise.reject(new TransportError('connection reset', 'maybe'))
        : transport(request, signal);
  await live(on, playbook, { onDoubt: 'ask', wrap: lost });
  const [doubt] = doubtsIn(entriesOf(on));
  if (doubt === undefined) throw new Error('nothing is in doubt');
  return { on, doubt };
}

interface Given extends Partial<DoubtContext> {
  readonly wrap?: (transport: Transport) => Transport;
}

function lookUp(on: Harness, doubt: InDoubt, { wrap, ...more }: Given = {}): Promise<DoubtFinding> {
  const { signal } = new AbortController();
  return lookUpDoubt(doubt, {
    exchange: clientOf(on, wrap),
    destination,
    clock: on.clock,
    searches: new Searches(on.clock),
    drain: signal,
    halt: signal,
    record: () => Promise.resolve(),
    lists: () => 'listed',
    namesElsewhere: async () => new Set(),
    entries: async () => entriesOf(on),
    ...more,
  });
}

const place = (
  on: Harness,
  { intents }: InDoubt,
  more: object = {},
): Promise<{ readonly orderId?: unknown }> =>
  clientOf(on).call('futures/place-order', { ...Object(intents.at(-1)?.input), ...more });

test('an order that is there is placed, and one that is not is absent after two searches', async () => {
  const { on, doubt } = await doubted();
  const began = on.clock.monotonic();
  expect(await lookUp(on, doubt)).toMatchObject({
    kind: 'absent',
    evidence: expect.stringMatching(
      /^open and history orders do not show it up to .+Z, in \d+ looks$/,
    ),
  });
  expect(on.clock.monotonic() - began).toBeGreaterThan(10 * second);
  const { orderId } = await place(on, doubt);
  expect(await lookUp(on, doubt)).toMatchObject({ kind: 'placed', output: { orderId } });
});

test('an order that is committed late, after the first search past the fence, is found', async () => {
  const { on, doubt } = await doubted();
  on.clock.advance(60 * second);
  const began = on.clock.monotonic();
  let isThere = false;
  const late =
    (transport: Transport): Transport =>
    async (request, signal) => {
      if (!isThere && on.clock.monotonic() - began > 8 * second) {
        isThere = true;
        await place(on, doubt);
      }
      return transport(request, signal);
    };
  expect(await lookUp(on, doubt, { wrap: late })).toMatchObject({ kind: 'placed' });
});

test.each([
  ['unlisted', /do not show orders of USDT-FUTURES/],
  ['unknown', /have never shown an order of USDT-FUTURES/],
] as const)('an absence in lists that are %s proves nothing', async (orders, because) => {
  const { on, doubt } = await doubted();
  const finding = await lookUp(on, doubt, { lists: () => orders });
  expect(finding).toMatchObject({ kind: 'unknown', because: expect.stringMatching(because) });
});

test('after lost lines, an order of deskhand that no journal knows may be the one', async () => {
  const { on, doubt } = await doubted();
  await place(on, doubt, { clientOid: 'dhaaaaaaaaaaaaaaaaaaaaaaaaaa' });
  const forgot = { since: 0 };
  expect(await lookUp(on, doubt, { forgot })).toMatchObject({
    kind: 'unknown',
    because: 'it may be one of 1 orders that no journal knows',
  });
  const known = async () => new Set(['dhaaaaaaaaaaaaaaaaaaaaaaaaaa']);
  expect(await lookUp(on, doubt, { forgot, namesElsewhere: known })).toMatchObject({
    kind: 'absent',
  });
});

test('another order under its clientOid, unreadable lists, and other writes cannot be told', async () => {
  const { on, doubt } = await doubted();
  const closed =
    (transport: Transport): Transport =>
    (request, signal) =>
      request.operation === 'order/list-open'
        ? Promise.reject(new TransportError('no route', 'no'))
        : transport(request, signal);
  expect(await lookUp(on, doubt, { wrap: closed })).toMatchObject({
    kind: 'unknown',
    because: expect.stringMatching(/^open orders could not be read: the read ended with “/),
  });
  const sub = doubt.intents.map((intent) => ({
    ...intent,
    operation: 'account/create-sub' as const,
  }));
  expect(await lookUp(on, { ...doubt, intents: sub })).toMatchObject({
    kind: 'unknown',
    because: expect.stringContaining('no list shows'),
  });
  expect(await lookUp(on, { ...doubt, intents: [] })).toMatchObject({
    kind: 'unknown',
    because: expect.stringContaining('another run'),
  });
  await place(on, doubt, { price: '40000.0' });
  expect(await lookUp(on, doubt)).toMatchObject({
    kind: 'unknown',
    because: expect.stringContaining('belongs to another order'),
  });
});
