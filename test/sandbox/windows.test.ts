/** Bounds of queries by time: what is taken, what is refused, what represents nothing. */
import { describe, expect, test } from 'vitest';
import { day, hour, minute, type Millis } from '../../src/base/clock.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import { Refusal } from '../../src/sandbox/refusal.ts';
import { isWithin, timeRangeOf } from '../../src/sandbox/windows.ts';

const now = Date.UTC(2026, 10, 21, 3, 0, 0); // 11:00 in UTC+8

function ask(name: OperationName, from?: Millis, to?: Millis): unknown {
  try {
    return timeRangeOf(
      name,
      {
        ...(from !== undefined && { startTime: String(from) }),
        ...(to !== undefined && { endTime: String(to) }),
      },
      { now },
    );
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const history = 'order/list-history';

describe('a window', () => {
  test('of exactly its maximum length is accepted, one millisecond more is not', () => {
    const from = now - 40 * day;
    expect(ask(history, from, from + 30 * day)).toEqual({ from, to: from + 30 * day });
    expect(ask(history, from, from + 30 * day + 1)).toBe('00001');
  });

  test('that ends before it starts is refused, a single moment is accepted', () => {
    expect(ask(history, now, now - 1)).toBe('40707');
    expect(ask(history, now, now)).toEqual({ from: now, to: now });
  });

  test('may end in the future', () => {
    expect(ask(history, now - day, now + day)).toEqual({ from: now - day, to: now + day });
  });

  test('reaches back as far as data is kept, plus a minute for slow clients', () => {
    const oldest = now - 90 * day;
    expect(ask(history, oldest, oldest + day)).toEqual({ from: oldest, to: oldest + day });
    expect(ask(history, oldest - minute, oldest)).toMatchObject({ from: oldest - minute });
    expect(ask(history, oldest - minute - 1, oldest)).toBe('40704');
  });

  test('has no look-back where the interface has none', () => {
    const from = now - 4_000 * day;
    expect(ask('tax/list-p2p', from, from + 30 * day)).toEqual({ from, to: from + 30 * day });
  });

  test('includes both bounds', () => {
    const span = { from: 5, to: 7 };
    expect([4, 5, 6, 7, 8].map((moment) => isWithin(moment, span))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('one bound', () => {
  test('sets the other one span away, but not in the future', () => {
    expect(ask(history, now - 50 * day)).toEqual({ from: now - 50 * day, to: now - 20 * day });
    expect(ask(history, now - 5 * day)).toEqual({ from: now - 5 * day, to: now });
    expect(ask(history, undefined, now - 5 * day)).toEqual({
      from: now - 35 * day,
      to: now - 5 * day,
    });
    expect(ask('market/list-fills', now - 20 * day)).toEqual({
      from: now - 20 * day,
      to: now - 13 * day,
    });
  });

  test('never reaches before the data kept', () => {
    expect(ask(history, undefined, now - 80 * day)).toMatchObject({
      from: now - 90 * day - minute,
    });
    expect(ask(history, undefined, now - 91 * day)).toBe('40704');
  });

  test('is refused where the interface requires both or none', () => {
    expect(ask('agent/list-trade-volume', now - day)).toBe('40019');
    expect(ask('agent/list-customers', undefined, now)).toBe('40019');
    expect(ask('tax/list-p2p', now - day)).toBe('40019');
  });
});

describe('no bounds', () => {
  test('select the previous day in UTC+8 for agents', () => {
    const midnight = Date.UTC(2026, 10, 20, 16, 0, 0);
    const previous = { from: midnight - day, to: midnight - 1 };
    expect(ask('agent/list-trade-volume')).toEqual(previous);
    expect(ask('agent/list-customers')).toEqual(previous);
  });

  test('select the last span, or all kept data', () => {
    expect(ask(history)).toEqual({ from: now - 30 * day, to: now });
    expect(ask('loan/list-orders')).toEqual({ from: now - 30 * day, to: now });
    expect(ask('market/list-fills')).toEqual({ from: now - 7 * day, to: now });
    expect(ask('futures/list-bills')).toEqual({ from: now - 90 * day, to: now });
    expect(ask('tax/list-p2p')).toBe('40019');
  });

  test('change the day at midnight in UTC+8', () => {
    const midnight = Date.UTC(2026, 10, 20, 16, 0, 0);
    const at = (moment: Millis) => timeRangeOf('agent/list-customers', {}, { now: moment }).from;
    expect(at(midnight - 1)).toBe(midnight - 2 * day);
    expect(at(midnight)).toBe(midnight - day);
    expect(at(midnight + 23 * hour)).toBe(midnight - day);
  });
});
