/** Exports of any time range: every row within it, none outside, and the manifest says what was cut. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day, second, type Millis } from '../../../src/base/clock.ts';
import { fieldOf } from '../../../src/base/json.ts';
import { operationOf } from '../../../src/exchange/api/operations/index.ts';
import type { Life } from '../../support/harness.ts';
import {
  exported,
  isKeptIn,
  keptRows,
  lived,
  nameOf,
  openLivedHarness,
  since,
  timedLists,
  type Kept,
  type Timed,
} from '../../support/lived.ts';

const namesWithin = (rows: readonly Kept[], from: Millis, to: Millis): string[] =>
  rows.filter((row) => isKeptIn(row, from, to)).map(({ name }) => name);

/** Missing or surplus rows of an export. */
function differences(found: readonly string[], kept: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of kept) counts.set(name, (counts.get(name) ?? 0) - 1);
  return [...counts].filter(([, more]) => more !== 0).map(([name, more]) => `${more} of ${name}`);
}

/** The start of the data according to the manifest, if it was cut; otherwise 0. */
function usedFrom(manifest: unknown): Millis {
  const clamps: unknown = fieldOf(manifest, 'clamps');
  const cut: unknown = Array.isArray(clamps)
    ? clamps.find((clamp) => fieldOf(clamp, 'bound') === 'from')
    : undefined;
  return Number(fieldOf(cut, 'used') ?? 0);
}

/** Its second window has a full page of orders that were created in the first window only. */
const closedLater = { from: 1_788_839_999_999, to: 1_793_851_200_000 };

const isMany = (operation: Timed): boolean => operation === 'market/list-fills';

/**
 * A range whose bounds or window edges are on or next to a row.
 * @param rows of the list, in any order
 */
function spans(
  operation: Timed,
  rows: readonly Kept[],
): fc.Arbitrary<{ from: Millis; to: Millis }> {
  const { span = day } = operationOf(operation).window ?? {};
  const last = rows.filter(({ at }) => !isMany(operation) || at > lived - 15 * day);
  const moment = fc.constantFrom(...new Set(last.map(({ at }) => at)));
  const beside = fc.integer({ min: -1, max: 1 });
  // Every symbol has 2,700 trades a day; two windows of them are enough.
  const longest = isMany(operation) ? 8 * day : 100 * day;
  return fc
    .record({
      moment,
      beside,
      windows: fc.integer({ min: 0, max: isMany(operation) ? 1 : 3 }),
      length: fc.oneof(fc.integer({ min: 0, max: longest }), fc.constantFrom(0, span, span + 1)),
    })
    .map(({ moment: at, beside: by, windows, length }) => {
      const from = at + by - windows * (span + (by === 1 ? 1 : 0));
      return { from, to: Math.max(from, from + length, since(operation, lived)) };
    })
    .filter(({ from, to }) => from <= lived && to - from <= longest + 20 * day);
}

describe('with a fixed clock, a hundred days ahead of the machine’s', async () => {
  const harness = await openLivedHarness();
  const books = keptRows(harness, lived);

  test.each(timedLists)('%s %j', async (operation, fields) => {
    const rows = books[operation](fields);
    await fc.assert(
      fc.asyncProperty(spans(operation, rows), async ({ from, to }) => {
        const asked = { startTime: String(from), endTime: String(to) };
        const { rows: found, manifest } = await exported(harness, operation, {
          ...fields,
          ...asked,
        });
        // A caller that waits for a turn assumes that the exchange's clock advances until the next response.
        const kept = since(operation, lived);
        const reached = Math.max(kept, usedFrom(manifest));
        expect(reached - kept).toBeLessThan(second);
        const [first, last] = [Math.max(from, reached), Math.min(to, lived)];
        const names = found.map((row) => nameOf(operation, row));
        expect(differences(names, namesWithin(rows, first, last))).toEqual([]);
        expect(fieldOf(manifest, 'asked')).toEqual({ from, to });
        expect(fieldOf(manifest, 'clamps')).toEqual([
          ...(first > from
            ? [{ bound: 'from', asked: from, used: first, because: 'not kept' }]
            : []),
          ...(last < to ? [{ bound: 'to', asked: to, used: last, because: 'not over' }] : []),
        ]);
      }),
      {
        numRuns: isMany(operation) ? 4 : 15,
        examples: operation === 'order/list-history' ? [[closedLater]] : [],
      },
    );
  });
});

test('with an accelerated clock, data that leaves the look-back during the export is reported', async () => {
  const harness = await openLivedHarness();
  harness.sandbox.control('POST', 'clock', { mode: 'accelerated', speed: 3600 });
  const books = keptRows(harness, lived);
  let requests = 0;
  const hurried: Life = {
    wrap: (transport) => (request, signal) => {
      // The exchange's clock jumps an hour: earlier signatures are refused, and requests are signed again.
      if (++requests % 3 === 0) harness.clock.advance(second);
      return transport(request, signal);
    },
  };
  for (const [operation, fields] of timedLists) {
    if (isMany(operation)) continue;
    const [from, to] = [lived - 91 * day, lived - day];
    const asked = { startTime: String(from), endTime: String(to) };
    const before = harness.sandbox.now();
    const { rows, manifest } = await exported(harness, operation, { ...fields, ...asked }, hurried);
    const covered: unknown = fieldOf(manifest, 'covered');
    const reached = Number(fieldOf(Array.isArray(covered) ? covered[0] : {}, 'from'));
    const names = rows.map((row) => nameOf(operation, row));
    const all = namesWithin(books[operation](fields), reached, to);
    expect(differences(names, all), operation).toEqual([]);
    const { lookBack } = operationOf(operation).window ?? {};
    if (lookBack === undefined) {
      expect(reached, operation).toBe(from);
      continue;
    }
    expect(reached).toBeGreaterThan(before - lookBack);
    expect(reached).toBeLessThanOrEqual(harness.sandbox.now() - lookBack + 10_000);
    expect(fieldOf(manifest, 'clamps')).toEqual([
      { bound: 'from', asked: from, used: reached, because: 'not kept' },
    ]);
  }
});
