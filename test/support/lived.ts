/** A world that was lived in for a hundred days, and every row it keeps, by its own books. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { day, hour, standingClock, type Millis } from '../../src/base/clock.ts';
import { operationOf, type OperationName } from '../../src/exchange/api/operations/index.ts';
import { rowId } from '../../src/exchange/api/row-schema.ts';
import { futuresProductTypes, type ProductType } from '../../src/exchange/api/vocabulary.ts';
import { checkFile } from '../../src/engine/export/check.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { SharedStore } from '../../src/sandbox/persistence/shared.ts';
import { lastRefresh } from '../../src/sandbox/engine/model/reporting.ts';
import { scaled } from '../../src/sandbox/world/digits.ts';
import { loansOf } from '../../src/sandbox/world/loans.ts';
import { p2pRecords } from '../../src/sandbox/world/p2p.ts';
import { tradeIdOf } from '../../src/sandbox/world/tape.ts';
import { timeFrom } from '../../src/sandbox/world/time.ts';
import { tradesBetween } from '../../src/sandbox/world/trades.ts';
import type { World } from '../../src/sandbox/world/world.ts';
import { entriesOf, live, playbookFrom, type Harness, type Life } from './harness.ts';

const born = Date.UTC(2026, 7, 12, 4);
export const lived = born + 100 * day; // longer than the exchange keeps anything

export interface LivedHarness extends Harness {
  /** The world as its file tells it, next to the sandbox that made it. */
  readonly books: () => World;
  readonly uid: string;
}

/** Two hundred half days of trading by the hedge account; then the clock stands. */
export async function openLivedHarness(): Promise<LivedHarness> {
  const clock = standingClock(born);
  const folder = await mkdtemp(join(tmpdir(), 'desk-'));
  const stateFile = join(folder, 'world');
  const sandbox = await openSandbox({ clock, stateFile, time: 'frozen', limits: false });
  const { uid } = sandbox.accounts.hedge;
  const place = (fields: object): unknown => sandbox.control('POST', 'orders', { uid, ...fields });
  for (let half = 0; half < 200; half++) {
    for (let pair = 0; pair < (half === 150 ? 70 : 4); pair++) {
      const market = markets[(half + pair) % markets.length];
      for (const tradeSide of ['open', 'close']) place({ ...market, ...long, tradeSide });
    }
    if (half % 5 === 0) place({ ...markets[0], ...long, tradeSide: 'open', ...farAway });
    if (half % 10 === 9) sandbox.control('POST', 'orders/cancel', { uid });
    sandbox.control('POST', 'clock/advance', { ms: 12 * hour });
  }
  for (const side of ['buy', 'sell']) {
    place({ ...markets[0], ...long, side, tradeSide: 'open' });
    place({ ...markets[1], ...long, ...farAway, price: '1500', tradeSide: 'open' });
  }
  const birth = {
    origin: { seed: 1, born, generation: 0 },
    time: timeFrom('frozen', { at: born, wall: born, speed: 1 }),
    limits: false,
  };
  return {
    clock,
    sandbox,
    uid,
    workspace: await mkdtemp(join(folder, 'work-')),
    disk: '',
    synced: '',
    counts: { journal: 0, request: 0, syncs: 0 },
    books: () => new SharedStore(stateFile, birth, clock).world(),
  };
}

const markets = [
  { category: 'USDT-FUTURES', symbol: 'BTCUSDT', size: '0.001' },
  { category: 'USDT-FUTURES', symbol: 'ETHUSDT', size: '0.01' },
  { category: 'COIN-FUTURES', symbol: 'BTCUSD', size: '0.001' },
  { category: 'USDC-FUTURES', symbol: 'BTCPERP', size: '0.001' },
] as const;
const long = { side: 'buy', orderType: 'market', marginMode: 'crossed' };
const farAway = { orderType: 'limit', price: '20000', force: 'gtc' };

/** One row of the books: what names it, when it was, and what an export must say of it. */
export interface Kept {
  readonly name: string;
  readonly at: Millis;
  /** An order is found by the time it closed, too. */
  readonly closedAt?: Millis;
  readonly says: Readonly<Record<string, string>>;
}

/** Whether a list of a span has the row. */
export function isKeptIn({ at, closedAt = at }: Kept, from: Millis, to: Millis): boolean {
  return [at, closedAt].some((time) => from <= time && time <= to);
}

export type Timed = Extract<
  OperationName,
  | 'order/list-history'
  | 'agent/list-trade-volume'
  | 'agent/list-customers'
  | 'loan/list-orders'
  | 'futures/list-bills'
  | 'market/list-fills'
  | 'tax/list-p2p'
>;

/** Every row up to a moment, in one piece: without windows, pages or cursors. */
export function keptRows(
  { books, uid }: LivedHarness,
  now: Millis,
): Readonly<Record<Timed, (input: Readonly<Record<string, string>>) => readonly Kept[]>> {
  const world = books();
  const { engine, origin } = world;
  const all = { from: 0, to: now };
  const customers = world.customers.get(uid);
  return {
    'order/list-history': () =>
      [...engine.closedOrders(uid)].map(({ orderId, createdTime, updatedTime, ...order }) => ({
        name: orderId,
        at: createdTime,
        closedAt: updatedTime,
        says: {
          clientOid: order.clientOid,
          qty: order.qty,
          cumExecQty: order.cumExecQty,
          avgPrice: order.avgPrice,
          orderStatus: order.status,
        },
      })),
    'agent/list-trade-volume': () =>
      (customers?.volumes(all, lastRefresh(now)) ?? []).map(({ uid: customer, time, cents }) => ({
        name: `${customer} ${time}`,
        at: time,
        says: { volumn: scaled(cents, 2) },
      })),
    'agent/list-customers': () =>
      (customers?.at(now) ?? []).map((row) => ({ name: row.uid, at: row.registerTime, says: {} })),
    'loan/list-orders': () =>
      loansOf({ ...origin, uid }, now)
        .within(all)
        .map(({ orderId, loanTime, loanAmount }) => ({
          name: orderId,
          at: Number(loanTime),
          says: { loanAmount },
        })),
    'futures/list-bills': ({ productType }) =>
      [...engine.bills(uid, productTypeOf(productType))].map(({ billId, time, ...bill }) => ({
        name: billId,
        at: time,
        says: bill,
      })),
    'market/list-fills': ({ productType, symbol = '' }) => {
      const market = world.market(productTypeOf(productType), symbol);
      if (market === undefined) throw new Error(`no market ${symbol}`);
      const { priceScale, sizeScale } = market.instrument;
      return [...tradesBetween(world, market, { from: now - 40 * day, to: now })].map((trade) => ({
        name: tradeIdOf(trade),
        at: trade.ts,
        says: { price: scaled(trade.ticks, priceScale), size: scaled(trade.lots, sizeScale) },
      }));
    },
    'tax/list-p2p': () =>
      p2pRecords(origin.seed, uid, { span: all, now, born: origin.born }).map((row) => ({
        name: row.id,
        at: Number(row.ts),
        says: { coin: row.coin, balance: row.balance },
      })),
  };
}

function productTypeOf(name: string | undefined): ProductType {
  const productType = futuresProductTypes.find((each) => each === name);
  if (productType === undefined) throw new Error(`no product type ${name}`);
  return productType;
}

export type Exported = Readonly<Record<string, unknown>>;

/** Exports one read as NDJSON. */
export async function exported(
  harness: Harness,
  operation: OperationName,
  fields: Readonly<Record<string, string>>,
  life: Life = {},
): Promise<{ rows: readonly Exported[]; manifest: unknown }> {
  harness.disk = '';
  const playbook = playbookFrom(`
playbook: 1
name: exporting
account: main
steps:
  - id: rows
    uses: ${operation}
    with: ${JSON.stringify(fields)}
    write: { file: rows.ndjson, overwrite: true }
`);
  const result = await live(harness, playbook, life);
  const closed = entriesOf(harness).find(({ kind }) => kind === 'closed');
  expect(result, `${operation} ${JSON.stringify(fields)} ${JSON.stringify(closed)}`).toMatchObject({
    status: 'done',
  });
  const file = join(harness.workspace, 'rows.ndjson');
  expect(await checkFile(file)).toMatchObject({ findings: [], unchecked: [] });
  const text = await readFile(file, 'utf8');
  return {
    rows: text
      .split('\n')
      .filter(Boolean)
      .map((line): Exported => JSON.parse(line)),
    manifest: JSON.parse(await readFile(`${file}.manifest.json`, 'utf8')),
  };
}

/** What names an exported row in the books: its id, which no other row of this world has, or the uid and more of a customer's row. */
export function nameOf(operation: OperationName, row: Exported): string {
  const id = rowId(operation);
  const fields = id[0] === 'uid' ? id : id.slice(0, 1);
  return fields.map((field) => String(row[field])).join(' ');
}

/** Each list with times, and what it is asked next to them. */
export const timedLists: readonly (readonly [Timed, Readonly<Record<string, string>>])[] = [
  ['order/list-history', {}],
  ['futures/list-bills', { productType: 'USDT-FUTURES' }],
  ['futures/list-bills', { productType: 'COIN-FUTURES' }],
  ['market/list-fills', { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' }],
  ['agent/list-trade-volume', {}],
  ['agent/list-customers', {}],
  ['loan/list-orders', {}],
  ['tax/list-p2p', {}],
];

/** The oldest moment that can be had: ten seconds are left for the request to arrive. */
export function since(operation: Timed, now: Millis): Millis {
  const lookBack = operationOf(operation).window?.lookBack;
  return lookBack === undefined ? 0 : now - lookBack + 10_000;
}
