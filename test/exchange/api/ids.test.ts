/** Lists that continue below the last id are complete under any order of ids, or an error names ids. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day, type Millis } from '../../../src/base/clock.ts';
import { fieldOf } from '../../../src/base/json.ts';
import { NoProgressError } from '../../../src/exchange/api/progress.ts';
import { bill, fieldsOf, fill, order as orderOf, type Row } from '../../support/lists.ts';
import { scripted, startOfTest, success } from '../../support/scripted.ts';

const now = startOfTest;

const record = ({ id, at }: Row) => ({
  id: String(id),
  coin: 'USDT',
  p2pTaxType: 'buy',
  balance: '1',
  ts: String(at),
});

const lists = {
  'tax/list-p2p': { row: record, id: 'id', page: 500, initial: 500, input: {} },
  'market/list-fills': {
    row: fill,
    id: 'tradeId',
    page: 1_000,
    initial: 500,
    input: { symbol: 'BTCUSDT', productType: 'USDT-FUTURES' },
  },
  'futures/list-bills': {
    row: bill,
    id: 'billId',
    page: 100,
    initial: 20,
    input: { productType: 'USDT-FUTURES' },
  },
} as const;
type Name = keyof typeof lists;

/** An exchange that returns the first rows of a window whose ids are smaller, in its own order. */
/** @param most rows of a page, whatever the limit is */
function exchangeOf(name: Name, rows: readonly Row[], most: number) {
  const { row } = lists[name];
  return scripted((request) => {
    const { startTime, endTime, idLessThan, limit } = fieldsOf(request);
    const found = rows
      .filter(({ at }) => at >= Number(startTime) && at <= Number(endTime))
      .filter(({ id }) => idLessThan === undefined || id < Number(idLessThan))
      .slice(0, Math.min(most, Number(limit)));
    const listed = found.map((each) => row(each));
    if (name !== 'futures/list-bills') return success(listed);
    return success({ bills: listed, endId: String(found.at(-1)?.id ?? '') });
  }).client;
}

/** The ids that are read, or the error. */
async function readFrom(
  name: Name,
  rows: readonly Row[],
  most: number = lists[name].page,
): Promise<readonly string[] | Error> {
  const { input, id } = lists[name];
  const ids: string[] = [];
  try {
    const asked = { ...input, startTime: String(now - 80 * day) };
    for await (const page of exchangeOf(name, rows, most).pages(name, asked)) {
      for (const row of page.rows) ids.push(String(fieldOf(row, id)));
    }
  } catch (error) {
    if (error instanceof NoProgressError) return error;
    throw error;
  }
  return ids;
}

const sorted = (ids: readonly (string | number)[]): number[] =>
  ids.map(Number).sort((a, b) => a - b);

const orders = ['falling', 'rising', 'random', 'blocks'] as const;

/** Ids in an order, from 1: `blocks` fall within a block, and the blocks have any order. */
function idsOf(order: (typeof orders)[number], count: number, chance: readonly number[]): number[] {
  const all = Array.from({ length: count }, (_, at) => at + 1);
  const chanceAt = (at: number): number => chance[at % chance.length] ?? 0;
  switch (order) {
    case 'rising':
      return all;
    case 'falling':
      return all.reverse();
    case 'random':
      return all
        .map((id, at) => [chanceAt(at), id] as const)
        .sort(([a, first], [b, second]) => a - b || first - second)
        .map(([, id]) => id);
    case 'blocks': {
      const length = 1 + (chanceAt(0) % Math.max(1, count));
      const blocks: number[][] = [];
      for (let at = 0; at < count; at += length) blocks.push(all.slice(at, at + length).reverse());
      return blocks
        .map((block, at) => [chanceAt(at + 1), block] as const)
        .sort(([a], [b]) => a - b)
        .flatMap(([, block]) => block);
    }
  }
}

/** Times, newest first: `few` distinct ones make many rows share one. */
function timesOf(count: number, few: number): Millis[] {
  const apart = Math.floor((70 * day) / few);
  return Array.from({ length: count }, (_, at) => now - Math.floor((at * few) / count) * apart);
}

const sizes = fc.constantFrom(0, 1, 99, 101, 499, 500, 501, 700, 1_000, 1_001, 2_500);
const chances = fc.array(fc.nat(1_000_000), { minLength: 97, maxLength: 997 });

describe.each(['tax/list-p2p', 'market/list-fills'] as const)('%s', (name) => {
  const scenes = fc.record({
    count: sizes,
    order: fc.constantFrom(...orders),
    few: fc.constantFrom(1, 2, 5, 40, 3_000),
    isById: fc.boolean(),
    ignoresLimit: fc.boolean(),
    chance: chances,
  });

  test('every row is read once, or the error names ids and says that repeating cannot help', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async ({ count, order, few, isById, ignoresLimit, chance }) => {
        const times = timesOf(count, few);
        const rows = idsOf(order, count, chance).map((id, at) => ({ id, at: times[at] ?? now }));
        const served = isById ? rows.toSorted((a, b) => b.id - a.id) : rows;
        const { page, initial } = lists[name];
        // A falling page of one time is followed by id, as the interface says.
        const most = ignoresLimit && few >= 40 ? initial : page;
        const read = await readFrom(name, served, most);
        const isCrowded = times.some(
          (time, at) => times[at + initial - 1] === time, // a page of one time that may be full
        );
        if (!(read instanceof Error)) {
          expect(sorted(read)).toEqual(sorted(rows.map(({ id }) => id)));
          return;
        }
        expect(isCrowded).toBe(true);
        expect(read.message).toMatch(/a full page of \d+ rows has one time, and its ids \(\d+/);
        expect(fieldOf(read, 'hint')).toContain('repeating it cannot help');
      }),
      { numRuns: 80 },
    );
  });

  test('ids that jump up behind a full page lose no row', async () => {
    const { page } = lists[name];
    const ids = [
      ...idsOf('falling', page, [0]),
      ...idsOf('falling', 200, [0]).map((id) => id + page),
    ];
    const times = timesOf(ids.length, 3_000);
    const read = await readFrom(
      name,
      ids.map((id, at) => ({ id, at: times[at] ?? now })),
    );
    expect(read).toHaveLength(page + 200);
  });
});

test('bills whose endId is a last id, and ids that do not fall, are read completely', async () => {
  const times = timesOf(700, 3_000);
  for (const order of ['rising', 'random'] as const) {
    const ids = idsOf(order, 700, [5, 3, 9, 1, 7, 2]);
    const { page, initial } = lists['futures/list-bills'];
    for (const most of [page, initial]) {
      const read = await readFrom(
        'futures/list-bills',
        ids.map((id, at) => ({ id, at: times[at] ?? now })),
        most,
      );
      expect(read instanceof Error ? read.message : sorted(read), order).toEqual(sorted(ids));
    }
  }
});

test.each(['tax/list-p2p', 'market/list-fills', 'futures/list-bills'] as const)(
  '%s: rows with one id for all are all read',
  async (name) => {
    const times = timesOf(700, 3_000);
    const rows = times.map((at) => ({ id: 77, at }));
    const { page, initial } = lists[name];
    for (const most of [page, initial]) expect(await readFrom(name, rows, most)).toHaveLength(700);
  },
);

test.each([null, '', 'p-7', '-5', undefined])(
  'a page with the id %j of a row is read, full or not',
  async (id) => {
    for (const [count, odd] of [
      [3, 1],
      [3, 3],
      [700, 700],
    ] as const) {
      const rows = timesOf(count, 3_000).map((at, nth) => ({ id: count - nth, at }));
      const { client } = scripted((request) => {
        const { startTime, endTime, idLessThan } = fieldsOf(request);
        const found = rows
          .map((row, at) => ({ ...row, tradeId: at < odd ? id : String(row.id) }))
          .filter(({ at }) => at >= Number(startTime) && at <= Number(endTime))
          .filter(({ id: own }) => idLessThan === undefined || own < Number(idLessThan));
        // The limit is ignored.
        return success(found.slice(0, 500).map((row) => ({ ...fill(row), tradeId: row.tradeId })));
      });
      let read = 0;
      const input = { ...lists['market/list-fills'].input, startTime: String(now - 80 * day) };
      for await (const page of client.pages('market/list-fills', input)) read += page.rows.length;
      expect(read).toBe(count);
    }
  },
);

test.each(['rising', 'random'] as const)(
  'orders with %s ids are all read, although each cursor is the smallest id of its page',
  async (order) => {
    const times = timesOf(300, 3_000);
    const ids = idsOf(order, 300, [5, 3, 9, 1, 7, 2]);
    const rows = ids.map((id, at) => ({ id, at: times[at] ?? now }));
    const { client } = scripted((request) => {
      const { startTime, endTime, cursor } = fieldsOf(request);
      const found = rows
        .filter(({ at }) => at >= Number(startTime) && at <= Number(endTime))
        .filter(({ id }) => cursor === undefined || id < Number(cursor))
        .slice(0, 100);
      const list = found.map(({ id, at }) => orderOf({ id, at }));
      const next = found.length === 0 ? '' : String(Math.min(...found.map(({ id }) => id)));
      return success({ list, cursor: next });
    });
    let read = 0;
    const input = { category: 'USDT-FUTURES', startTime: String(now - 80 * day) } as const;
    for await (const page of client.pages('order/list-history', input)) read += page.rows.length;
    expect(read).toBe(300);
  },
);

test('trades of one millisecond follow their ids, which the interface says fall', async () => {
  const rows = idsOf('falling', 2_500, [0]).map((id) => ({ id, at: now - day }));
  expect(await readFrom('market/list-fills', rows)).toHaveLength(2_500);
});

test('a short page that others follow although ids do not fall is an error', async () => {
  const ids = [900, 901, 902, 5, 6, 7];
  const { client } = scripted((request) => {
    const { idLessThan } = fieldsOf(request);
    const below = ids.filter((id) => idLessThan === undefined || id < Number(idLessThan));
    return success(below.slice(0, 3).map((id) => record({ id, at: now - day })));
  });
  const read = async (): Promise<void> => {
    const input = { startTime: String(now - 2 * day) };
    for await (const { rows } of client.pages('tax/list-p2p', input)) expect(rows).toBeDefined();
  };
  await expect(read()).rejects.toThrow('and ids do not fall (5, 6 and 7)');
});
