/** Reading lists: every row is returned exactly once, however the exchange splits them into pages. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day } from '../../../src/base/clock.ts';
import { fieldOf } from '../../../src/base/json.ts';
import type { WireRequest, WireResponse } from '../../../src/exchange/api/exchange.ts';
import type { OperationName } from '../../../src/exchange/api/operations/index.ts';
import { NoProgressError, type Bookmark } from '../../../src/exchange/api/progress.ts';
import { bill, fieldsOf, fill, order, type Row } from '../../support/lists.ts';
import { scripted, startOfTest, success } from '../../support/scripted.ts';

const now = startOfTest;

/** A time in the last 80 days; few distinct values, so that many rows share one or are on window edges. */
const moments = fc.integer({ min: 0, max: 16 }).map((step) => now - 80 * day + step * 5 * day);
const rowsOf = (max: number) =>
  fc
    .array(moments, { maxLength: max })
    .map((times) => [...times].sort((a, b) => b - a))
    .map((times) => times.map((at, index) => ({ id: times.length - index, at })));

/** The rows of a query's window, newest first. */
function within(rows: readonly Row[], { startTime, endTime }: Record<string, string>): Row[] {
  return rows.filter(({ at }) => at >= Number(startTime) && at <= Number(endTime));
}

async function idsOf(
  serve: (request: WireRequest, nth: number) => WireResponse,
  name: OperationName,
  input: object,
): Promise<string[]> {
  const { client } = scripted(serve);
  const ids: string[] = [];
  for await (const { rows } of client.pages(name, input)) ids.push(...rows.map(idOf));
  return ids;
}

function idOf(row: object): string {
  const named = ['orderId', 'billId', 'tradeId', 'uid'].find((field) => field in row);
  return String(fieldOf(row, named ?? ''));
}

const allOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => String(id));
const sorted = (ids: readonly string[]): string[] => [...ids].sort((a, b) => Number(b) - Number(a));

describe('reading a list returns every row exactly once', () => {
  const span = { startTime: String(now - 80 * day), endTime: String(now) };

  test('with any cursor text and any page length in a history', async () => {
    const lengths = fc.infiniteStream(fc.integer({ min: 4, max: 100 }));
    const repeats = fc.infiniteStream(fc.integer({ min: 0, max: 3 }));
    await fc.assert(
      fc.asyncProperty(rowsOf(300), lengths, repeats, async (rows, length, repeat) => {
        const ids = await idsOf(
          (request) => {
            const fields = fieldsOf(request);
            const all = within(rows, fields);
            const from = Number((fields['cursor'] ?? 'at 0').slice(3));
            const list = all.slice(from, from + length.next().value);
            const last = from + list.length;
            // Some rows of a page are repeated on the next one, as with an inclusive cursor.
            const next = Math.max(last - repeat.next().value, from + 1);
            const cursor = last >= all.length ? '' : `at ${next}`;
            return success({ list: list.map(order), cursor });
          },
          'order/list-history',
          span,
        );
        expect(sorted(ids)).toEqual(allOf(rows));
      }),
      { numRuns: 40 },
    );
  });

  test('with bills, whose endId is sent back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(350), fc.integer({ min: 1, max: 100 }), async (rows, length) => {
        const ids = await idsOf(
          (request) => {
            const fields = fieldsOf(request);
            const below = Number(fields['idLessThan'] ?? Infinity);
            const bills = within(rows, fields)
              .filter(({ id }) => id < below)
              .slice(0, length)
              .map(bill);
            return success({ bills, endId: bills.at(-1)?.billId ?? '' });
          },
          'futures/list-bills',
          { productType: 'USDT-FUTURES', ...span },
        );
        expect(sorted(ids)).toEqual(allOf(rows));
      }),
      { numRuns: 40 },
    );
  });

  test('with fills, whose only cursor is the id of their last row', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(2_500), async (rows) => {
        const ids = await idsOf(
          (request) => {
            const fields = fieldsOf(request);
            const below = Number(fields['idLessThan'] ?? Infinity);
            const page = within(rows, fields).filter(({ id }) => id < below);
            return success(page.slice(0, Number(fields['limit'])).map(fill));
          },
          'market/list-fills',
          { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', ...span },
        );
        expect(sorted(ids)).toEqual(allOf(rows));
      }),
      { numRuns: 10 },
    );
  });

  test('with numbered pages into which rows are inserted during the read', async () => {
    const customer = (id: number) => ({ uid: String(id), registerTime: String(now) });
    const ids = await idsOf(
      (request, nth) => {
        const { pageNo, pageSize } = fieldsOf(request);
        const size = Number(pageSize);
        const newest = 2_300 + nth; // one more row with every page
        const all = Array.from({ length: newest }, (_, index) => customer(newest - index));
        return success(all.slice((Number(pageNo) - 1) * size, Number(pageNo) * size));
      },
      'agent/list-customers',
      { startTime: String(now - day), endTime: String(now) },
    );
    expect(sorted(ids)).toEqual(Array.from({ length: 2_301 }, (_, index) => String(2_301 - index)));
  });
});

describe('a list that cannot be read completely is an error with counts', () => {
  const history = async (serve: (nth: number) => { list: Row[]; cursor: string }) =>
    idsOf(
      (_, nth) => {
        const { list, cursor } = serve(nth);
        return success({ list: list.map(order), cursor });
      },
      'order/list-history',
      {},
    );
  const row = (id: number): Row => ({ id, at: now });

  test('a cursor that does not advance', async () => {
    await expect(history((nth) => ({ list: [row(nth)], cursor: 'same' }))).rejects.toThrow(
      'order/list-history: the cursor was repeated after 1 page and 1 row',
    );
  });

  test('cursors that form a cycle', async () => {
    const circle = history((nth) => ({ list: [row(nth)], cursor: `c${nth % 3}` }));
    await expect(circle).rejects.toThrow('the cursor was repeated after 3 pages and 3 rows');
  });

  test('pages without new rows', async () => {
    const still = history((nth) => ({ list: [row(1)], cursor: `c${nth}` }));
    await expect(still).rejects.toThrow('a page had no new rows after 1 page and 1 row');
  });

  test('numbered pages that are all identical', async () => {
    const same = Array.from({ length: 1_000 }, (_, index) => ({
      uid: String(index),
      registerTime: String(now),
    }));
    const input = { startTime: String(now - day), endTime: String(now) };
    await expect(idsOf(() => success(same), 'agent/list-customers', input)).rejects.toThrow(
      NoProgressError,
    );
  });

  test('a full page of bills without endId, even for a window of one millisecond', async () => {
    const bills = Array.from({ length: 100 }, (_, index) => bill({ id: index + 1, at: now }));
    const input = { productType: 'USDT-FUTURES', startTime: String(now - day) };
    await expect(idsOf(() => success({ bills }), 'futures/list-bills', input)).rejects.toThrow(
      /a full page has no cursor after \d+ pages and 100 rows/,
    );
  });

  test('a repeated full page of open orders without a cursor', async () => {
    const list = Array.from({ length: 100 }, (_, index) => order({ id: 100 - index, at: now }));
    const open = idsOf(() => success({ list, cursor: '' }), 'order/list-open', {});
    await expect(open).rejects.toThrow('the cursor was repeated after 1 page and 100 rows');
  });

  test('a full page of open orders without a cursor whose ids do not decrease', async () => {
    const list = Array.from({ length: 100 }, (_, index) => order({ id: index + 1, at: now }));
    const open = idsOf(() => success({ list, cursor: '' }), 'order/list-open', {});
    await expect(open).rejects.toThrow('a full page has no cursor after 1 page and 100 rows');
  });

  test('a short numbered page that is not the last', async () => {
    const customer = (id: number) => ({ uid: String(id), registerTime: String(now) });
    const rows = Array.from({ length: 2_500 }, (_, index) => customer(index));
    const short = idsOf(
      (request) => {
        const first = (Number(fieldsOf(request)['pageNo']) - 1) * 1_000;
        return success(rows.slice(first, first + (first === 0 ? 800 : 1_000)));
      },
      'agent/list-customers',
      { startTime: String(now - day), endTime: String(now) },
    );
    await expect(short).rejects.toThrow('a page was not full but others follow');
  });
});

describe('a temporary fault is corrected', () => {
  const span = { startTime: String(now - 80 * day), endTime: String(now) };
  const rows = Array.from({ length: 450 }, (_, index) => ({
    id: 450 - index,
    at: now - Math.floor(index / 7) * day,
  }));

  /** An exchange that returns at most `most` rows of one window and then names no next page. */
  const history =
    (most: number, stale: (nth: number) => boolean = () => false) =>
    (request: WireRequest, nth: number) => {
      const fields = fieldsOf(request);
      const all = within(rows, fields).slice(0, most);
      const below = Number(fields['cursor'] ?? Infinity);
      const list = all.filter(({ id }) => id < below).slice(0, 100);
      if (stale(nth) && fields['cursor'] !== undefined) {
        return success({ list: all.slice(0, 100).map(order), cursor: String(all[99]?.id) });
      }
      const isLast = list.at(-1) === all.at(-1);
      return success({ list: list.map(order), cursor: isLast ? '' : String(list.at(-1)?.id) });
    };

  test('a stale page is requested again', async () => {
    const ids = await idsOf(
      history(Infinity, (nth) => nth % 2 === 0),
      'order/list-history',
      span,
    );
    expect(sorted(ids)).toEqual(allOf(rows));
  });

  test('a window with more rows than the exchange returns is halved', async () => {
    for (const most of [100, 200, 300]) {
      const ids = await idsOf(history(most), 'order/list-history', span);
      expect(sorted(ids), String(most)).toEqual(allOf(rows));
    }
  });

  test('a full page of open orders without a cursor is continued below its smallest id', async () => {
    for (const count of [100, 200, 250]) {
      const open = rows.slice(0, count);
      const ids = await idsOf(
        (request) => {
          const below = Number(fieldsOf(request)['cursor'] ?? Infinity);
          const list = open.filter(({ id }) => id < below).slice(0, 100);
          return success({ list: list.map(order), cursor: '' });
        },
        'order/list-open',
        {},
      );
      expect(ids, String(count)).toEqual(allOf(open));
    }
  });

  test('a read interrupted after any page continues to the same rows', async () => {
    for (const most of [100, 300, Infinity]) {
      const { client } = scripted(history(most));
      const whole: string[] = [];
      const marks: { at: number; next: Bookmark }[] = [];
      const options = { now };
      for await (const { names, next } of client.pages('order/list-history', span, options)) {
        whole.push(...names);
        if (next) marks.push({ at: whole.length, next });
      }
      for (const { at, next } of marks) {
        const again = whole.slice(0, at);
        const rest = client.pages('order/list-history', span, {
          now,
          from: next,
          seen: [...again],
        });
        for await (const { names } of rest) again.push(...names);
        expect(again).toEqual(whole);
      }
      expect(marks.length).toBeGreaterThan(5);
    }
  });
});
