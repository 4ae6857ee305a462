/** Lists read page by page and window by window: nothing is lost, nothing comes twice. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { day, hour, standingClock } from '../../src/base/clock.ts';
import { operationOf, type OperationName } from '../../src/exchange/api/operations/index.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { opened, signed, unsigned } from './support.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox({ clock: standingClock(born), limits: false });
});

type Row = Readonly<Record<string, string>>;

function ask(name: OperationName, input: object): { code: string; data: unknown } {
  const request =
    operationOf(name).access === 'public'
      ? unsigned(name, input)
      : signed(sandbox.accounts.oneway, name, { input, timestamp: sandbox.now() });
  return opened(sandbox.handle(request));
}

function rows(name: OperationName, input: object): { list: readonly Row[]; next: string } {
  const { code, data } = ask(name, input);
  expect(code).toBe('00000');
  if (Array.isArray(data)) return { list: data, next: '' };
  const { list, bills, cursor, endId } = Object(data);
  return { list: list ?? bills, next: cursor ?? endId };
}

interface Walk {
  readonly name: OperationName;
  readonly input: object;
  readonly id: string;
  readonly sizes: string;
  /** The field that asks for the next page; a page number without. */
  readonly cursor?: 'cursor' | 'idLessThan';
}

/** All rows, by pages of a size. */
function walked({ name, input, id, sizes, cursor }: Walk, size: number): readonly Row[] {
  const all: Row[] = [];
  for (let page = 1, from: string | undefined; page < 10_000; page++) {
    const where = cursor === undefined ? { pageNo: String(page) } : from && { [cursor]: from };
    const { list, next } = rows(name, { ...input, [sizes]: String(size), ...Object(where) });
    expect(list.length).toBeLessThanOrEqual(size);
    if (list.length === 0) return all;
    all.push(...list);
    from = next === '' ? list.at(-1)?.[id] : next;
  }
  throw new Error('the pages do not end');
}

const month = { startTime: String(born - 30 * day), endTime: String(born) };
const walks: readonly Walk[] = [
  { name: 'order/list-open', input: {}, id: 'orderId', sizes: 'limit', cursor: 'cursor' },
  { name: 'order/list-history', input: {}, id: 'orderId', sizes: 'limit', cursor: 'cursor' },
  {
    name: 'futures/list-bills',
    input: { productType: 'USDT-FUTURES' },
    id: 'billId',
    sizes: 'limit',
    cursor: 'idLessThan',
  },
  {
    name: 'market/list-fills',
    input: {
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      startTime: String(born - 2 * hour),
      endTime: String(born),
    },
    id: 'tradeId',
    sizes: 'limit',
    cursor: 'idLessThan',
  },
  { name: 'tax/list-p2p', input: month, id: 'id', sizes: 'limit', cursor: 'idLessThan' },
  { name: 'agent/list-customers', input: month, id: 'uid', sizes: 'pageSize' },
  {
    name: 'agent/list-trade-volume',
    input: { startTime: String(born - 3 * day), endTime: String(born) },
    id: 'uid',
    sizes: 'pageSize',
  },
  { name: 'agent/list-assets', input: {}, id: 'uid', sizes: 'pageSize' },
];

describe.each(walks)('$name', (walk) => {
  const maximum = () => operationOf(walk.name).page?.size.maximum ?? 1;
  const key = (row: Row): string => `${row[walk.id]} ${walk.id === 'uid' ? row['time'] : ''}`;

  test('returns the same rows with any page size', () => {
    const whole = walked(walk, maximum());
    expect(whole).not.toEqual([]);
    expect(new Set(whole.map(key)).size).toBe(whole.length);
    const sizes = [1, 2, 3, 7, 20].filter((size) => whole.length / size < 200);
    for (const size of sizes) expect(walked(walk, size)).toEqual(whole);
  });

  test('refuses a page size above the maximum, 0, and one that is not a number', () => {
    const codeOf = (size: string) => ask(walk.name, { ...walk.input, [walk.sizes]: size }).code;
    const isUnified = operationOf(walk.name).path.startsWith('/api/v3/');
    expect(codeOf(String(maximum() + 1))).toBe(isUnified ? '25200' : '40053');
    expect(codeOf('0')).toBe(isUnified ? '25200' : '40020');
    expect(codeOf('many')).toBe(isUnified ? '25200' : '40020');
  });
});

describe('windows', () => {
  test('that touch return every trade once, at any boundary', () => {
    const input = { productType: 'USDT-FUTURES', symbol: 'ETHUSDT', limit: '1000' };
    const between = (from: number, to: number) =>
      rows('market/list-fills', { ...input, startTime: String(from), endTime: String(to) }).list;
    const whole = between(born - 4 * hour, born);
    fc.assert(
      fc.property(fc.integer({ min: born - 4 * hour, max: born }), (cut) => {
        expect([...between(cut, born), ...between(born - 4 * hour, cut - 1)]).toEqual(whole);
      }),
      { numRuns: 25, seed: 5 },
    );
  });

  test('include both bounds', () => {
    const { list } = rows('futures/list-bills', { productType: 'USDT-FUTURES', limit: '100' });
    const time = list[0]?.['cTime'] ?? '';
    const within = (startTime: string, endTime: string) =>
      rows('futures/list-bills', { productType: 'USDT-FUTURES', startTime, endTime }).list;
    expect(within(time, time)).toContainEqual(list[0]);
    expect(within(String(Number(time) + 1), String(born))).not.toContainEqual(list[0]);
    expect(within(String(born - day), String(Number(time) - 1))).not.toContainEqual(list[0]);
  });

  test.each<[OperationName, object, string]>([
    ['order/list-history', { startTime: String(born - 91 * day) }, '40704'],
    [
      'futures/list-bills',
      { productType: 'USDT-FUTURES', startTime: String(born - 91 * day) },
      '40704',
    ],
    [
      'agent/list-customers',
      { startTime: String(born - 31 * day), endTime: String(born - 20 * day) },
      '70008',
    ],
    ['agent/list-trade-volume', { startTime: String(born - day) }, '40019'],
    ['tax/list-p2p', { startTime: String(born - day) }, '40019'],
    [
      'market/list-fills',
      {
        productType: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        startTime: String(born - 9 * day),
        endTime: String(born),
      },
      '00001',
    ],
  ])('%s with %j is refused', (name, input, code) => {
    expect(ask(name, input)).toEqual(expect.objectContaining({ code, data: null }));
  });
});

describe('filters', () => {
  test('an unknown customer has no rows, a known one is found at any age', () => {
    const { list } = rows('agent/list-assets', {});
    const oldest = list.at(-1)?.['uid'] ?? '';
    expect(rows('agent/list-customers', { uid: oldest }).list).toHaveLength(1);
    expect(rows('agent/list-customers', { uid: '1' }).list).toEqual([]);
  });

  test('a customer with too many accounts has a remark instead of a balance', () => {
    const { list } = rows('agent/list-assets', {});
    const remarked = list.filter(({ remark }) => remark !== '');
    expect(remarked.length).toBeGreaterThan(0);
    for (const row of remarked) {
      expect(row).toMatchObject({ remark: 'sub account exceed 5', balance: '' });
    }
  });

  test('the coin of bills applies only to transfers to and from the exchange', () => {
    const bills = (input: object) =>
      rows('futures/list-bills', { productType: 'COIN-FUTURES', ...input }).list;
    expect(bills({ coin: 'ETH', businessType: 'trans_from_exchange' })).toHaveLength(1);
    expect(bills({ coin: 'NOPE', businessType: 'trans_from_exchange' })).toEqual([]);
    expect(bills({ coin: 'NOPE' })).not.toEqual([]);
  });

  test('a missing object has its own code', () => {
    expect(ask('market/list-tickers', { category: 'SPOT', symbol: 'NOPE' }).code).toBe('25100');
    expect(ask('market/get-risk-reserve', { category: 'USDT-FUTURES', symbol: 'NOPE' }).code).toBe(
      '25100',
    );
    expect(ask('market/list-fills', { productType: 'USDT-FUTURES', symbol: 'NOPE' }).code).toBe(
      '40102',
    );
    expect(ask('margin/get-interest-rate', { coin: 'NOPE' }).code).toBe('40806');
    expect(ask('loan/list-symbols', { productId: '7' }).code).toBe('25200');
    expect(ask('order/list-open', { cursor: 'x' }).code).toBe('25200');
    expect(rows('loan/list-orders', { orderId: '7' }).list).toEqual([]);
  });
});

test('a ticker agrees with the trades of its day', () => {
  const input = { productType: 'USDT-FUTURES', symbol: 'SOLUSDT', limit: '1000' };
  const trades: Row[] = [];
  for (let from: string | undefined; ;) {
    const startTime = String(born - day + 1);
    const page = rows('market/list-fills', {
      ...input,
      startTime,
      ...(from && { idLessThan: from }),
    });
    if (page.list.length === 0) break;
    trades.push(...page.list);
    from = page.list.at(-1)?.['tradeId'];
  }
  const [ticker] = rows('market/list-tickers', {
    category: 'USDT-FUTURES',
    symbol: 'SOLUSDT',
  }).list;
  const prices = trades.map(({ price }) => Number(price));
  const volume = trades.reduce((sum, { size }) => sum + Number(size), 0);
  expect(ticker).toMatchObject({ lastPrice: trades[0]?.['price'] });
  expect(Number(ticker?.['highPrice24h'])).toBe(Math.max(...prices));
  expect(Number(ticker?.['lowPrice24h'])).toBe(Math.min(...prices));
  expect(Number(ticker?.['volume24h'])).toBeCloseTo(volume, 6);
});
