/** A cancellation is done when its order is seen ended, in both account families and however it is disturbed. */
import { describe, expect, test } from 'vitest';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  playbookFrom,
  type CrashPoint,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

interface Family {
  readonly cancel: 'futures/cancel-order' | 'trade/cancel-order';
  readonly read: 'futures/get-order' | 'trade/get-order';
  readonly fields: string;
}

const families: Readonly<Record<'classic' | 'unified', Family>> = {
  classic: {
    cancel: 'futures/cancel-order',
    read: 'futures/get-order',
    fields: 'symbol: BTCUSDT, productType: USDT-FUTURES',
  },
  unified: {
    cancel: 'trade/cancel-order',
    read: 'trade/get-order',
    fields: 'category: USDT-FUTURES',
  },
};

const undoing = ({ cancel, fields }: Family) =>
  playbookFrom(`
playbook: 1
name: undo
steps:
  - id: order
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
  - id: undo
    uses: ${cancel}
    with: { ${fields}, clientOid: "{{ steps.order.outputs.clientOid }}" }
`);

const outcomeOf = (harness: Harness) => replay(entriesOf(harness)).get('undo')?.outcome;

/** How the orders of the run ended, by the exchange's books. */
function ends(harness: Harness): readonly unknown[] {
  const { uid } = harness.sandbox.accounts.hedge;
  const { open, closed } = Object(harness.sandbox.control('GET', 'orders', { uid }));
  return [...open, ...closed]
    .filter(({ clientOid }) => String(clientOid).startsWith('dh'))
    .map(({ status }) => status);
}

/** Disturbs the first request of an operation: what it does with it, and how often it was sent. */
function disturbing(
  operation: string,
  act: (send: () => ReturnType<Transport>) => ReturnType<Transport>,
): { readonly wrap: (transport: Transport) => Transport; readonly sent: () => number } {
  let sent = 0;
  return {
    sent: () => sent,
    wrap: (transport) => (request, signal) => {
      if (request.operation !== operation) return transport(request, signal);
      sent += 1;
      return sent === 1 ? act(() => transport(request, signal)) : transport(request, signal);
    },
  };
}

const lost = new TransportError('connection reset', 'maybe');

describe.each(Object.keys(families) as (keyof typeof families)[])('%s', (name) => {
  const family = families[name];
  const playbook = undoing(family);

  test('its result is the order as it ended', async () => {
    const harness = await openHarness();
    await live(harness, playbook, {});
    expect(outcomeOf(harness)).toMatchObject({
      kind: 'done',
      output: { status: 'cancelled', filled: expect.stringMatching(/^0/), size: '0.001' },
    });
    expect(ends(harness)).toEqual(['cancelled']);
  });

  test.each(['before', 'after'] as const)(
    'a response lost %s it was executed is settled by the order',
    async (when) => {
      const harness = await openHarness();
      const { wrap, sent } = disturbing(family.cancel, async (send) => {
        if (when === 'after') await send();
        throw lost;
      });
      await live(harness, playbook, { wrap });
      expect(outcomeOf(harness)).toMatchObject({ kind: 'done', output: { status: 'cancelled' } });
      expect(sent()).toBe(2); // repeated at once; what was executed is refused then, and the order decides
      expect(ends(harness)).toEqual(['cancelled']);
    },
  );

  test('an order that is filled meanwhile is told as filled', async () => {
    const harness = await openHarness();
    const { wrap } = disturbing(family.cancel, async (send) => {
      const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
      harness.sandbox.control('POST', 'market', { ...market, price: '40000.0' });
      harness.clock.advance(1_000);
      return send();
    });
    await live(harness, playbook, { wrap });
    expect(ends(harness)).toEqual(['filled']);
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', output: { status: 'filled' } });
  });

  test('an accepted cancellation of an order that stays open is a doubt, and is looked up again', async () => {
    const harness = await openHarness();
    const body = Buffer.from(
      JSON.stringify({ code: '00000', msg: 'success', requestTime: harness.clock.now(), data: {} }),
    );
    const { wrap } = disturbing(family.cancel, async () => ({ status: 200, headers: {}, body }));
    const began = harness.clock.now();
    const result = await live(harness, playbook, { wrap });
    expect(outcomeOf(harness)).toMatchObject({
      kind: 'doubt',
      because: expect.stringContaining('accepted it, and the order is still live'),
    });
    expect(result.status).not.toBe('done');
    expect(harness.clock.now() - began).toBeGreaterThanOrEqual(30_000);
    await live(harness, playbook, {});
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', output: { status: 'cancelled' } });
    expect(ends(harness)).toEqual(['cancelled']);
  });

  test('an order that its read does not know is found in the lists', async () => {
    const harness = await openHarness();
    const rule = {
      match: { operation: family.read },
      action: { kind: 'stale-reads', ms: 3_600_000 },
    };
    harness.sandbox.control('PUT', 'faults', { rules: [rule] });
    await live(harness, playbook, {});
    expect(outcomeOf(harness)).toMatchObject({ kind: 'done', output: { status: 'cancelled' } });
    expect(ends(harness)).toEqual(['cancelled']);
  });

  test('however the process dies, a resume ends the order and places it once', async () => {
    const whole = await openHarness();
    await liveOn(whole, playbook, {});
    const points = (['journal', 'request'] as const).flatMap((at) =>
      Array.from({ length: whole.counts[at] }, (_, index) => index + 1).flatMap((nth) =>
        (['before', 'after'] as const).map((when): CrashPoint => ({ at, nth, when })),
      ),
    );
    for (const death of points) {
      const harness = await openHarness();
      await liveOn(harness, playbook, { death });
      expect(ends(harness), JSON.stringify(death)).toEqual(['cancelled']);
      expect(outcomeOf(harness), JSON.stringify(death)).toMatchObject({ kind: 'done' });
    }
  });
});
