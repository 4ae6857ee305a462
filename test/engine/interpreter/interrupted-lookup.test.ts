/** A run that is stopped while it looks an order up: nothing is settled, and nothing is hidden. */
import { expect, test } from 'vitest';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import { doubtsIn } from '../../../src/engine/effects/doubts.ts';
import { hasOpenWrite } from '../../../src/engine/journal/replay.ts';
import { summaryOf } from '../../../src/report/summary.ts';
import { playAgain } from '../../../src/engine/runtime/playback.ts';
import { entriesOf, live, openHarness, ordersPlaced, playbookFrom } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`
playbook: 1
name: looked-up
steps:
  - id: first
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
  - id: then
    uses: futures/place-order
    with:${limitOrder({ price: '40100.0' })}
`);

/** The response to the first order is lost. @param looked called when it is looked up */
const losing =
  (isPlaced: boolean, looked: () => void) =>
  (transport: Transport): Transport => {
    let orders = 0;
    return async (request, signal) => {
      if (request.operation === 'order/list-open') looked();
      const isLost = request.operation === 'futures/place-order' && ++orders === 1;
      if (!isLost) return transport(request, signal);
      if (isPlaced) await transport(request, signal);
      throw new TransportError('connection reset', 'maybe');
    };
  };

test.each([
  ['starts nothing new', 'is not there', { isHalted: false, isPlaced: false }],
  ['awaits no responses', 'is not there', { isHalted: true, isPlaced: false }],
  ['awaits no responses', 'is there', { isHalted: true, isPlaced: true }],
])(
  'a stop that %s settles nothing if the order %s; resume looks it up',
  async (_stop, _order, { isHalted, isPlaced }) => {
    const harness = await openHarness();
    const [drain, halt] = [new AbortController(), new AbortController()];
    const stop = (): void => {
      drain.abort();
      if (isHalted) halt.abort(new Error('responses did not arrive within 10 s'));
    };
    const result = await live(harness, playbook, {
      drain: drain.signal,
      halt: halt.signal,
      wrap: losing(isPlaced, stop),
    });
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
    const entries = entriesOf(harness);
    expect(entries.filter(({ kind }) => kind === 'settled')).toEqual([]);
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: 'closed', step: 'first', status: 'interrupted' }),
    );
    expect(hasOpenWrite(entries)).toBe(true);
    const { status, headline, inDoubt, notSent, next } = summaryOf(entries);
    expect([status, headline]).toEqual(['doubt', 'stopped with 1 order in doubt']);
    expect(inDoubt).toMatchObject([{ address: 'first', because: 'no response is recorded' }]);
    expect(notSent).toHaveLength(1);
    expect(next[0]?.why).toBe('looks the order up by its clientOid, then continues');
    const { clock } = harness;
    expect(await playAgain({ playbook, inputs: {}, entries, clock })).toEqual([]);
    expect((await live(harness, playbook)).status).toBe('done');
    const ours = [...(await ordersPlaced(harness))].filter(([name]) => name.startsWith('dh'));
    expect(ours.map(([, times]) => times)).toEqual([1, 1]);
  },
);

test('a lookup that is interrupted leaves what was answered and looked up in the doubt', async () => {
  const harness = await openHarness();
  const drain = new AbortController();
  let isBusy = true;
  const busy =
    (transport: Transport): Transport =>
    async (request, signal) => {
      if (request.operation === 'order/list-history') drain.abort();
      if (request.operation !== 'futures/place-order' || !isBusy) return transport(request, signal);
      const body = Buffer.from('{"code":"30007","msg":"busy","requestTime":1,"data":null}');
      return { status: 429, headers: { 'content-type': 'application/json' }, body };
    };
  await live(harness, playbook, { drain: drain.signal, wrap: busy });
  const answered =
    'the exchange answered 30007 with HTTP 429, and nothing is recorded that decides it';
  const [doubt] = summaryOf(entriesOf(harness)).inDoubt;
  expect(doubt).toMatchObject({
    because: answered,
    lists: [expect.stringMatching(/^in 1 look: clientOid dh\w+ is not there yet$/)],
  });
  expect(doubtsIn(entriesOf(harness))).toMatchObject([{ because: answered }]);
  isBusy = false;
  expect((await live(harness, playbook, { onDoubt: 'ask' })).status).toBe('doubt');
  expect(summaryOf(entriesOf(harness)).inDoubt).toMatchObject([{ because: answered }]);
  expect((await live(harness, playbook)).status).toBe('done');
});
