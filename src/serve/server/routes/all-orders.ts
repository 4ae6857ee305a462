/** `GET /orders`: the orders of all runs, as a page, as the exchange shows them now, and as a file. */
import { deadline, minute, type Millis } from '../../../base/clock.ts';
import { decimal } from '../../../base/decimal.ts';
import { plainText } from '../../../base/text.ts';
import { integer, list, optional, record, text, type Infer } from '../../../exchange/api/schema.ts';
import { configOf } from '../../../app/config/opened.ts';
import { orderSum, runOrderFields, type RunOrder } from '../../../app/documents/order-documents.ts';
import { orderSums } from '../../../app/orders/order-sums.ts';
import { ordersCsv } from '../../../app/orders/orders-csv.ts';
import { ordersNow as shownNow } from '../../../app/orders/orders-now.ts';
import {
  isWanted,
  type OrderFilter,
  type RecordedOrder,
} from '../../../app/orders/recorded-orders.ts';
import { zoneOf, type Zone } from '../../../language/zone.ts';
import type { AllRuns } from '../../../engine/journal/run-list.ts';
import { money } from '../../../report/words.ts';
import type { Desk } from '../desk.ts';
import type { FoundOrders } from '../desk-orders.ts';
import { Refusal } from '../failure.ts';
import { inProcess } from '../in-process.ts';
import { pageOf, pageParameter } from '../paging.ts';
import { deskNamed, type ServerContext } from '../route-context.ts';
import { exactRecord, parameter, reads, sends, timeParameter, type Sent } from '../route.ts';

const filter = {
  desk: optional(parameter('The desk; default: all', 80)),
  since: optional(timeParameter('Signed at this time or later')),
  until: optional(timeParameter('Signed before this time')),
  playbook: optional(parameter('Its name', 80)),
  account: optional(parameter('The profile', 60)),
  symbol: optional(parameter('The symbol', 40)),
  state: optional(parameter('As the run recorded it', 40)),
  id: optional(parameter('A clientOid or an orderId', 64)),
};
const parameters = exactRecord({
  ...filter,
  page: pageParameter,
});

const sumsMax = 500; // sums of a page

const orderRow = record({ desk: text(), ...runOrderFields });

export const orders = reads({
  title: 'List the orders of all runs, with their sums by day and symbol',
  role: 'viewer',
  parameters: exactRecord({
    ...filter,
    page: pageParameter,
    zone: optional(parameter('The time zone of days, by its name or offset; default: UTC', 60)),
  }),
  answer: record({
    orders: list(orderRow, { description: 'One page of them, the newest first' }),
    matching: integer({ minimum: 0, description: 'Number of all that match' }),
    page: integer({ minimum: 1 }),
    pages: integer({ minimum: 1 }),
    sums: list(orderSum, { description: 'Of those that match and exist, the newest first' }),
    zone: text({ description: 'That of the days: UTC, if the other one is not known here' }),
    sumsLeft: integer({ minimum: 0, description: 'Number of sums that follow' }),
    sumsAll: integer({ minimum: 0, description: 'Number of all sums' }),
    damages: list(text(), { description: 'Runs whose record could not be read completely' }),
    playbooks: list(text()),
    accounts: list(text()),
    symbols: list(text(), { description: 'Of the orders in this time' }),
    states: list(text(), { description: 'Of the orders in this time' }),
    desks: list(text()),
  }),
  handle: async ({ parameters: given }, server) => {
    const { found, all, damages } = await foundIn(given, server);
    const { page, pages, shown } = pageOf(found, given.page);
    const { zone: name = 'UTC' } = given;
    const zone = zoneNamed(name);
    const sums = orderSums(
      found.map(({ order }) => order),
      zone,
    );
    const sumsFrom = (Math.min(page, Math.max(1, Math.ceil(sums.length / sumsMax))) - 1) * sumsMax;
    const values = desksOf(server, given.desk).map(({ runs }) => runs.values());
    return {
      orders: shown.map(({ order, desk }) => ({ desk: desk.name, ...plain(order) })),
      matching: found.length,
      page,
      pages,
      sums: sums
        .slice(sumsFrom, sumsFrom + sumsMax)
        .map((sum) => ({ ...plain(sum), notional: money(decimal(sum.notional)) })),
      zone: zone === undefined ? 'UTC' : name,
      sumsLeft: Math.max(0, sums.length - sumsFrom - sumsMax),
      sumsAll: sums.length,
      damages: damages.map((damage) => plainText(damage, 300)),
      playbooks: valuesOf(values.flatMap(({ playbooks }) => playbooks)),
      accounts: valuesOf(values.flatMap(({ accounts }) => accounts)),
      symbols: valuesOf(all.map(({ order }) => order.symbol.toUpperCase())),
      states: valuesOf(all.map(({ order }) => order.state)),
      desks: server.desks.map(({ name }) => name),
    };
  },
});

export const ordersNow = reads({
  title: 'Ask the exchange for the present states of one page of orders',
  role: 'operator',
  parameters,
  answer: record({
    states: list(
      record({
        desk: text(),
        run: text(),
        address: text(),
        now: text({ description: 'As the lists of the exchange show it' }),
      }),
    ),
  }),
  handle: async ({ parameters: given }, server) => {
    const { found, runs } = await foundIn(given, server);
    const { shown } = pageOf(found, given.page);
    const states = [];
    for (const [desk, of] of runs) {
      const own = shown.filter((each) => each.desk === desk);
      if (own.length === 0) continue;
      for (const { run, address, now = '' } of await nowOf(own, await of(), desk, server)) {
        states.push(plain({ desk: desk.name, run, address, now }));
      }
    }
    return { states };
  },
});

export const orderFile = sends({
  title: 'Download the orders of all runs as CSV',
  role: 'viewer',
  parameters: exactRecord(filter),
  handle: async ({ parameters: given }, server): Promise<Sent> => {
    const { found, damages } = await foundIn(given, server);
    const csv = `${ordersCsv(found.map(({ order }) => order)).join('\n')}\n`;
    const name = damages.length === 0 ? 'orders.csv' : 'orders-incomplete.csv'; // the page says why
    return { name, content: linesOf(Buffer.from(csv, 'utf8')) };
  },
});

async function* linesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** A zone by an offset or any of its names, which are remembered as one. */
function zoneNamed(name: string): Zone | undefined {
  if (/^[+-]/.test(name)) return zoneOf(name);
  try {
    return zoneOf(new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Given = Infer<typeof parameters>;
type OnDesk = RecordedOrder & { readonly desk: Desk };

interface Found {
  /** The orders that match, newest first. */
  readonly found: readonly OnDesk[];
  /** The orders, including those of other symbols and states. */
  readonly all: readonly OnDesk[];
  readonly damages: readonly string[];
  readonly runs: readonly (readonly [Desk, FoundOrders['runs']])[];
}

async function foundIn(given: Given, server: ServerContext): Promise<Found> {
  const { since, until, playbook, account, symbol, state, id } = given;
  const wanted: OrderFilter = {
    from: since === undefined ? -Infinity : Number(since),
    to: until === undefined ? Infinity : Number(until),
    ...(playbook !== undefined && { playbook }),
    ...(account !== undefined && { account }),
    ...(id !== undefined && { id }),
  };
  const exact = {
    ...wanted,
    ...(symbol !== undefined && { symbol }),
    ...(state !== undefined && { state }),
  };
  const parts = await Promise.all(
    desksOf(server, given.desk).map(async (desk) => ({ desk, ...(await desk.orders(wanted)) })),
  );
  const all = parts
    .flatMap(({ desk, orders: own }) => own.map((each): OnDesk => ({ ...each, desk })))
    .toSorted((a, b) => b.order.sentAt - a.order.sentAt);
  return {
    found: all.filter(({ order }) => isWanted(order, exact)),
    all,
    damages: parts.flatMap((part) => part.damages),
    runs: parts.map(({ desk, runs }) => [desk, runs] as const),
  };
}

function desksOf(server: ServerContext, name: string | undefined): readonly Desk[] {
  return name === undefined ? server.desks : [deskNamed(server, name)];
}

const longest: Millis = minute; // a person waits

async function nowOf(
  own: readonly OnDesk[],
  runs: AllRuns,
  desk: Desk,
  server: ServerContext,
): Promise<readonly RunOrder[]> {
  const late = (): Refusal => new Refusal(422, 'late', 'the orders were not read within a minute');
  const limit = deadline(longest, late);
  try {
    return await inProcess(desk, server, async (context) =>
      shownNow(own, runs, await configOf(context), context, limit.signal),
    );
  } finally {
    limit.cancel();
  }
}

const textMax = 160; // characters

/** A record with its texts as plain text. */
function plain<R extends object>(value: R): R;
function plain(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => {
      if (typeof each === 'string') return [name, plainText(each, textMax)];
      if (!Array.isArray(each)) return [name, each];
      return [name, each.map((one: unknown) => plainText(String(one), textMax))];
    }),
  );
}

function valuesOf(values: readonly string[]): readonly string[] {
  return [...new Set(values.map((value) => plainText(value, 80)))]
    .filter((value) => value !== '')
    .toSorted();
}
