/** Prices and trades that follow from the seed alone. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day, hour, second } from '../../../src/base/clock.ts';
import { lastDayOf } from '../../../src/sandbox/world/day.ts';
import { scaled, unitsOf } from '../../../src/sandbox/world/digits.ts';
import { marketsOf, type Market } from '../../../src/sandbox/world/markets.ts';
import { pinAt, withPin, type Pin } from '../../../src/sandbox/world/pins.ts';
import { momentOfTradeId, tradeIdOf } from '../../../src/sandbox/world/tape.ts';

const born = Date.UTC(2026, 10, 21);
const key = 'USDT-FUTURES:BTCUSDT';

function marketNamed(name: string, seed = 1, pins: readonly Pin[] = []): Market {
  const market = marketsOf({ seed, born }, { listed: [], pins: () => pins }).get(name);
  if (market === undefined) throw new Error(`no market ${name}`);
  return market;
}

describe('prices', () => {
  test('do not depend on earlier requests', () => {
    const moments = fc.array(fc.integer({ min: born - 90 * day, max: born + 30 * day }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(moments, (asked) => {
        const once = marketNamed(key);
        const each = asked.map((moment) => once.ticksAt(moment));
        expect(asked.map((moment) => marketNamed(key).ticksAt(moment))).toEqual(each);
      }),
      { numRuns: 50, seed: 11 },
    );
  });

  test('stay in a plausible range for half a year, under many seeds', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const market = marketNamed(key, seed);
      for (let at = born - 90 * day; at < born + 90 * day; at += 6 * hour) {
        const price = market.ticksAt(at) / 10;
        expect(price).toBeGreaterThan(45_000);
        expect(price).toBeLessThan(130_000);
      }
    }
  });

  test('move slightly each second and more in an hour', () => {
    const market = marketNamed(key);
    const moves = (gap: number) =>
      Array.from({ length: 200 }, (_, step) => {
        const at = born + step * hour;
        return Math.abs(market.ticksAt(at + gap) / market.ticksAt(at) - 1);
      }).reduce((sum, move) => sum + move, 0) / 200;
    expect(moves(second)).toBeLessThan(0.000_2);
    expect(moves(hour)).toBeGreaterThan(0.001);
    expect(moves(hour)).toBeLessThan(0.01);
  });

  test('of one coin move together on all product lines', () => {
    const at = born + 5 * hour;
    expect(marketNamed('COIN-FUTURES:BTCUSD').ticksAt(at)).toBe(marketNamed(key).ticksAt(at));
    expect(marketNamed('SPOT:BTCUSDT').ticksAt(at)).toBe(marketNamed(key).ticksAt(at));
  });

  test('follow a value set by hand until it is released', () => {
    const pins = [
      { market: key, what: 'price', from: born, ticks: 500_000, trades: 0 },
      { market: key, what: 'price', from: born + hour, ticks: null, trades: 0 },
    ] as const;
    const market = marketNamed(key, 1, pins);
    const free = marketNamed(key);
    expect(market.ticksAt(born - 1)).toBe(free.ticksAt(born - 1));
    expect(market.ticksAt(born + hour - 1)).toBe(500_000);
    expect(market.ticksAt(born + hour)).toBe(free.ticksAt(born + hour));
  });

  test('set by hand are found at their time, the last one for equal times, the latest of many', () => {
    const own = { market: key, what: 'price', trades: 0 } as const;
    const others = [
      { ...own, market: 'SPOT:BTCUSDT', from: born, ticks: 1 },
      { ...own, what: 'mark', from: born + 3, ticks: 2 },
    ] as const;
    const moments = fc.array(fc.nat(9), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(moments, fc.integer({ min: -1, max: 10 }), (steps, after) => {
        const set = steps
          .toSorted((a, b) => a - b)
          .map((step, ticks) => ({ ...own, from: born + step, ticks }));
        const pins = [...others, ...set].reduce(withPin, []);
        const moment = born + after;
        expect(pinAt(pins, { ...own, moment })).toEqual(set.findLast(({ from }) => from <= moment));
        expect(pins).toHaveLength(2 + new Set(steps).size);
      }),
    );
    const many = Array.from({ length: 10_000 }, (_, ticks) => ({
      ...own,
      from: born + ticks,
      ticks,
    }));
    const full = [...others, ...many];
    const kept = withPin(full, { ...own, from: born + 10_000, ticks: 5 });
    expect(kept).toHaveLength(full.length);
    expect(pinAt(kept, { ...own, moment: born })).toBeUndefined();
    expect(pinAt(kept, { ...own, moment: born + 1 })?.ticks).toBe(1);
  });

  test('of a seed are reproducible', () => {
    const at = (name: string) => {
      const market = marketNamed(name);
      return scaled(market.ticksAt(born), market.instrument.priceScale);
    };
    const names = [key, 'USDT-FUTURES:ETHUSDT', 'USDT-FUTURES:DOGEUSDT', 'SPOT:XRPUSDT'];
    expect(names.map(at)).toMatchInlineSnapshot(`
      [
        "81023.9",
        "3284.31",
        "0.20586",
        "2.0488",
      ]
    `);
  });
});

describe('the public trades', () => {
  const market = marketNamed(key);
  const span = { from: born - hour, to: born };
  const trades = [...market.tape.between(span)];

  test('have a trade in every slot, newest first, with descending ids and times', () => {
    expect(trades.length).toBeGreaterThanOrEqual(112);
    expect(trades.length).toBeLessThanOrEqual(113);
    for (const [index, trade] of trades.entries()) {
      expect(tradeIdOf(trade)).toMatch(/^\d{24}$/);
      expect(trade.lots).toBeGreaterThan(0);
      const older = trades[index + 1];
      if (older === undefined) continue;
      expect(BigInt(tradeIdOf(trade)) > BigInt(tradeIdOf(older))).toBe(true);
      expect(trade.ts).toBeGreaterThan(older.ts);
    }
  });

  test('are the same for any windows', () => {
    fc.assert(
      fc.property(fc.integer({ min: span.from, max: span.to }), (cut) => {
        const newer = market.tape.between({ from: cut, to: span.to });
        const older = market.tape.between({ from: span.from, to: cut - 1 });
        expect([...newer, ...older]).toEqual(trades);
      }),
      { numRuns: 30, seed: 3 },
    );
  });

  test('start when a symbol is listed and end at its delivery', () => {
    const delivered = [
      ...marketsOf({ seed: 1, born }, { listed: [], pins: () => [] }).values(),
    ].filter(({ instrument }) => instrument.delivery !== undefined);
    expect(delivered).toHaveLength(2);
    for (const { tape, instrument } of delivered) {
      const { startTime = 0, time = 0 } = instrument.delivery ?? {};
      expect([...tape.between({ from: startTime - day, to: startTime - 1 })]).toEqual([]);
      expect([...tape.between({ from: time + 1, to: time + day })]).toEqual([]);
      expect([...tape.between({ from: startTime, to: startTime + hour })]).not.toEqual([]);
    }
  });

  test('have hourly sums that add up to the total', () => {
    const ask = lastDayOf(market.tape.sums);
    for (const now of [born, born + 1, born + hour - 1, born + 5 * hour + 17]) {
      const all = [...market.tape.between({ from: now - day + 1, to: now })];
      expect(ask(now)).toEqual({
        highTicks: Math.max(...all.map(({ ticks }) => ticks)),
        lowTicks: Math.min(...all.map(({ ticks }) => ticks)),
        lots: all.reduce((sum, { lots }) => sum + lots, 0),
        turnover: all.reduce((sum, { ticks, lots }) => sum + ticks * lots, 0),
      });
    }
  });
});

test('have ids that rise with the time, and with the number at equal times, however large', () => {
  const numbers = [0, 1, 99_999, 100_000, 100_001, 1_000_000, 9_999_999_999];
  const ids = [born - 1, born].flatMap((ts) => numbers.map((place) => tradeIdOf({ ts, place })));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))).toEqual(ids);
});

test('have ids that encode their time', () => {
  expect(momentOfTradeId(tradeIdOf({ ts: born, place: 17 }))).toBe(born);
  expect(momentOfTradeId('5')).toBe(-1);
  expect(momentOfTradeId('9'.repeat(40))).toBeGreaterThan(born * 1_000);
});

test('makers quote both sides around the fair price, best first', () => {
  const market = marketNamed(key);
  const { bids, asks } = market.quotes(born, 780_000);
  expect(bids.map(({ ticks }) => ticks)).toEqual(
    bids.map(({ ticks }) => ticks).sort((a, b) => b - a),
  );
  expect(bids[0]?.ticks).toBe(779_999);
  expect(asks[0]?.ticks).toBe(780_001);
  expect(asks).toHaveLength(6);
});

test('digits are converted to text and back', () => {
  expect(scaled(1234, 2)).toBe('12.34');
  expect(scaled(-5, 3)).toBe('-0.005');
  expect(scaled(7, 0)).toBe('7');
  expect(unitsOf('12.3', 2)).toBe(1230);
  expect(unitsOf('12.3499', 2)).toBe(1234);
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 8 }), (units, scale) => {
      expect(unitsOf(scaled(units, scale), scale)).toBe(units);
    }),
  );
});
