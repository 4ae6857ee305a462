/** Random histories: whatever is asked of the engine, its books stay right and can be reported again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restoreEngine } from '../../../src/sandbox/engine/create.ts';
import type { Applied } from '../../../src/sandbox/engine/engine.ts';
import type { OrderView } from '../../../src/sandbox/engine/view.ts';
import { begun, timed } from './commands.ts';
import { start } from './support.ts';

test('every invariant holds after every command of a random history', () => {
  fc.assert(
    fc.property(fc.array(timed, { maxLength: 120, size: 'max' }), (history) => {
      const engine = begun();
      let now = start;
      for (const { command, after } of history) {
        now += after;
        engine.apply(command, now);
        expect(engine.invariants()).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});

test('no trade violates the terms of either order', () => {
  fc.assert(
    fc.property(fc.array(timed, { maxLength: 120, size: 'max' }), (history) => {
      const engine = begun();
      const ids = { trade: '', order: '' };
      let now = start;
      for (const { command, after } of history) {
        now += after;
        for (const event of engine.apply(command, now).events) {
          if (event.kind === 'order-opened') {
            expect(event.orderId > ids.order).toBe(true);
            ids.order = event.orderId;
          }
          if (event.kind !== 'trade') continue;
          expect(event.tradeId > ids.trade).toBe(true);
          ids.trade = event.tradeId;
          const taker = engine.order(event.takerOrderId);
          const maker = engine.order(event.makerOrderId);
          if (taker !== undefined) {
            expect(taker.timeInForce).not.toBe('post_only');
            if (taker.stpMode !== 'none') expect(event.makerUid).not.toBe(event.takerUid);
            expect(isKept(taker, event.price)).toBe(true);
          }
          if (maker !== undefined) expect(maker.price).toBe(event.price);
        }
      }
    }),
    { numRuns: 60 },
  );
});

function isKept({ orderType, side, price }: OrderView, at: string): boolean {
  if (orderType === 'market') return true;
  return side === 'buy' ? Number(at) <= Number(price) : Number(at) >= Number(price);
}

/** Events are reported when asked for. */
function withEvents({ reply, events }: Applied): Applied {
  return { reply, events };
}

test('the same history gives the same state, and a snapshot from its middle continues equally', () => {
  fc.assert(
    fc.property(
      fc.array(timed, { maxLength: 80, size: 'max' }),
      fc.array(timed, { maxLength: 40, size: 'max' }),
      (first, second) => {
        const engine = begun();
        const again = begun();
        let now = start;
        for (const { command, after } of first) {
          now += after;
          expect(withEvents(engine.apply(command, now))).toEqual(
            withEvents(again.apply(command, now)),
          );
        }
        expect(engine.hash()).toBe(again.hash());
        const restored = restoreEngine(JSON.parse(JSON.stringify(engine.snapshot())));
        expect(restored.invariants()).toEqual([]);
        for (const { command, after } of second) {
          now += after;
          expect(withEvents(restored.apply(command, now))).toEqual(
            withEvents(engine.apply(command, now)),
          );
        }
        expect(restored.snapshot()).toEqual(engine.snapshot());
        expect(restored.hash()).toBe(engine.hash());
      },
    ),
    { numRuns: 60 },
  );
});

test('a refused command changes nothing', () => {
  fc.assert(
    fc.property(fc.array(timed, { maxLength: 100, size: 'max' }), (history) => {
      const engine = begun();
      let now = start;
      for (const { command, after } of history) {
        now += after;
        engine.apply({ kind: 'advance' }, now);
        const before = engine.hash();
        const { reply, events } = engine.apply(command, now);
        if (reply.kind === 'done') continue;
        expect(engine.hash()).toBe(before);
        expect(events).toEqual([]);
      }
    }),
    { numRuns: 40 },
  );
});
