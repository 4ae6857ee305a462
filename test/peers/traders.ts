/** The same trading by the own methods of each public client, in the words of either account family. */
import ccxt, { type Order, type Position } from 'ccxt';
import { RestClientV2, RestClientV3 } from 'bitget-api';
import type { Family } from '../../src/exchange/api/family.ts';
import { listings } from '../../src/sandbox/world/instruments.ts';

export type Mode = 'oneway' | 'hedge';

export interface Keys {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPass: string;
}

/** An order to place. `side` is the executed one: a long position is closed by a sell. */
export interface Intent {
  readonly clientOid: string;
  readonly side: 'buy' | 'sell';
  readonly size: string;
  /** The limit price; a market order without it. */
  readonly price?: string;
  readonly closes?: boolean;
}

/** What a client reads of an order. */
export interface Seen {
  readonly clientOid: string;
  readonly side: string;
  readonly size: number;
  readonly filled: number;
  readonly status: string;
  readonly price?: number;
  /** Absent before the first fill, and where a client does not read it. */
  readonly average?: number;
  /** Positive when it was paid. */
  readonly fee: number;
}

/** What a client reads of a position. */
export interface Held {
  readonly symbol: string;
  readonly side: string;
  readonly size: number;
  readonly entry: number;
  readonly leverage: number;
  readonly isHedged: boolean;
}

export interface Trader {
  readonly family: Family;
  setLeverage(times: number): Promise<unknown>;
  leverage(): Promise<number>;
  place(intent: Intent): Promise<void>;
  order(clientOid: string): Promise<Seen>;
  cancel(clientOid: string): Promise<unknown>;
  open(): Promise<Seen[]>;
  closed(): Promise<Seen[]>;
  positions(): Promise<Held[]>;
}

export interface At {
  readonly baseUrl: string;
  readonly keys: Keys;
  readonly mode: Mode;
}

const line = 'USDT-FUTURES' as const;
const symbol = 'BTCUSDT';
const bitcoin = { symbol, productType: line };
const pair = 'BTC/USDT:USDT'; // the name of the symbol in ccxt

/** ccxt with only the address changed. It knows the symbols, which it reads from a path beside the API. */
export function ccxtOf({ baseUrl, keys }: Pick<At, 'baseUrl' | 'keys'>, options: object) {
  const { apiKey, apiSecret: secret, apiPass: password } = keys;
  const exchange = new ccxt.bitget({ apiKey, secret, password, options: { ...options } });
  const { urls } = exchange;
  if (typeof urls.api === 'object') {
    for (const name of Object.keys(urls.api)) urls.api[name] = baseUrl;
  }
  exchange.setMarkets(
    listings(Date.now())
      .filter(({ instrument }) => instrument.delivery === undefined)
      .map(({ instrument }) => {
        const { symbol: id, baseCoin: base, quoteCoin: quote, marginCoin, category } = instrument;
        const isSpot = category === 'SPOT';
        const settle = isSpot ? {} : { settle: marginCoin, settleId: marginCoin, contractSize: 1 };
        const { priceScale, sizeScale } = instrument;
        return exchange.safeMarketStructure({
          id,
          base,
          quote,
          baseId: base,
          quoteId: quote,
          active: true,
          ...settle,
          symbol: isSpot ? `${base}/${quote}` : `${base}/${quote}:${marginCoin}`,
          type: isSpot ? 'spot' : 'swap',
          spot: isSpot,
          swap: !isSpot,
          contract: !isSpot,
          linear: isSpot ? undefined : quote === marginCoin,
          inverse: isSpot ? undefined : quote !== marginCoin,
          precision: { price: 10 ** -priceScale, amount: 10 ** -sizeScale },
        });
      }),
  );
  return exchange;
}

function byCcxt(family: Family, at: At): Trader {
  const isUnified = family === 'unified';
  const exchange = ccxtOf(at, { uta: isUnified });
  const ids = new Map<string, string>();
  const idOf = (clientOid: string): string => ids.get(clientOid) ?? '1';
  const seen = (order: Order): Seen => ({
    clientOid: order.clientOrderId ?? '',
    side: String(order.side),
    size: Number(order.amount),
    filled: Number(order.filled),
    status: String(order.status),
    ...(order.type === 'limit' && { price: Number(order.price) }),
    ...(order.average !== undefined && { average: order.average }),
    // It negates fees of both families, although those of unified accounts are positive when paid.
    fee: (order.fee?.cost ?? 0) * (isUnified ? -1 : 1) + 0,
  });
  const held = (position: Position): Held => ({
    symbol: String(exchange.market(position.symbol)['id']),
    side: String(position.side),
    size: position.contracts ?? Number.NaN,
    entry: position.entryPrice ?? Number.NaN,
    leverage: position.leverage ?? Number.NaN,
    isHedged: position.hedged === true,
  });
  return {
    family,
    setLeverage: (times) => exchange.setLeverage(times, pair),
    leverage: async () => {
      if (!isUnified) return (await exchange.fetchLeverage(pair)).longLeverage ?? Number.NaN;
      return leverageIn((await exchange['privateUtaGetV3AccountSettings']())['data']);
    },
    place: async ({ clientOid, side, size, price, closes = false }) => {
      const terms = { clientOrderId: clientOid, hedged: at.mode === 'hedge', reduceOnly: closes };
      const type = price === undefined ? 'market' : 'limit';
      const limit = price === undefined ? undefined : Number(price);
      const { id } = await exchange.createOrder(pair, type, side, Number(size), limit, terms);
      ids.set(clientOid, String(id));
    },
    order: async (clientOid) => seen(await exchange.fetchOrder(idOf(clientOid), pair)),
    cancel: (clientOid) => exchange.cancelOrder(idOf(clientOid), pair),
    open: async () => (await exchange.fetchOpenOrders(pair)).map(seen),
    closed: async () => (await exchange.fetchCanceledAndClosedOrders(pair)).map(seen),
    positions: async () => (await exchange.fetchPositions()).map(held),
  };
}

function byBitgetV2({ baseUrl, keys, mode }: At): Trader {
  const client = new RestClientV2({ ...keys, baseUrl });
  const usdt = { ...bitcoin, marginCoin: 'USDT' };
  const seen = (order: ClassicRow): Seen => ({
    clientOid: order.clientOid,
    // In hedge mode the side of this family names the position.
    side: order.tradeSide === 'close' ? opposite(order.side) : order.side,
    size: Number(order.size),
    filled: Number(order.baseVolume),
    status: worded(order.state ?? order.status ?? ''),
    ...(order.orderType === 'limit' && { price: Number(order.price) }),
    ...(order.priceAvg !== '' && { average: Number(order.priceAvg) }),
    fee: -Number(order.fee) + 0,
  });
  return {
    family: 'classic',
    setLeverage: (times) => client.setFuturesLeverage({ ...usdt, leverage: String(times) }),
    leverage: async () => {
      const { data } = await client.getFuturesAccountAsset(usdt);
      return Number(data.crossedMarginLeverage);
    },
    place: async ({ closes = false, price, side, ...terms }) => {
      const direction =
        mode === 'hedge'
          ? {
              side: closes ? opposite(side) : side,
              tradeSide: closes ? ('close' as const) : ('open' as const),
            }
          : { side, ...(closes && { reduceOnly: 'YES' as const }) };
      const kind =
        price === undefined
          ? { orderType: 'market' as const }
          : { orderType: 'limit' as const, price, force: 'gtc' as const };
      await client.futuresSubmitOrder({
        ...usdt,
        marginMode: 'crossed',
        ...terms,
        ...direction,
        ...kind,
      });
    },
    order: async (clientOid) => {
      return seen((await client.getFuturesOrder({ ...bitcoin, clientOid })).data);
    },
    cancel: (clientOid) => client.futuresCancelOrder({ ...usdt, clientOid }),
    open: async () => (await client.getFuturesOpenOrders(bitcoin)).data.entrustedList.map(seen),
    closed: async () => {
      return (await client.getFuturesHistoricOrders(bitcoin)).data.entrustedList.map(seen);
    },
    positions: async () => {
      const { data } = await client.getFuturesPositions({ productType: line, marginCoin: 'USDT' });
      return data.map((held) => ({
        symbol: held.symbol,
        side: held.holdSide,
        size: Number(held.total),
        entry: Number(held.openPriceAvg),
        leverage: Number(held.leverage),
        isHedged: held.posMode === 'hedge_mode',
      }));
    },
  };
}

function byBitgetV3({ baseUrl, keys, mode }: At): Trader {
  const client = new RestClientV3({ ...keys, baseUrl });
  const category = line;
  const seen = (order: UnifiedRow): Seen => ({
    clientOid: order.clientOid,
    side: order.side,
    size: Number(order.qty),
    filled: Number(order.cumExecQty),
    status: worded(order.orderStatus),
    ...(order.orderType === 'limit' && { price: Number(order.price) }),
    ...(Number(order.avgPrice) > 0 && { average: Number(order.avgPrice) }),
    fee: Number(order.feeDetail[0]?.fee ?? 0),
  });
  return {
    family: 'unified',
    setLeverage: (times) => client.setLeverage({ category, symbol, leverage: String(times) }),
    leverage: async () => leverageIn((await client.getAccountSettings()).data),
    place: async ({ closes = false, price, side, size: qty, clientOid }) => {
      const posSide = (side === 'buy') === closes ? ('short' as const) : ('long' as const);
      const closing = closes ? { reduceOnly: 'yes' as const } : {};
      const kind =
        price === undefined
          ? { orderType: 'market' as const }
          : { orderType: 'limit' as const, price, timeInForce: 'gtc' as const };
      await client.submitNewOrder({
        category,
        symbol,
        qty,
        side,
        clientOid,
        ...(mode === 'hedge' ? { posSide } : closing),
        ...kind,
      });
    },
    order: async (clientOid) => seen((await client.getOrderInfo({ clientOid })).data),
    cancel: (clientOid) => client.cancelOrder({ category, clientOid }),
    open: async () => (await client.getUnfilledOrders({ category, symbol })).data.list.map(seen),
    closed: async () => {
      return (await client.getHistoryOrders({ category, symbol })).data.list.map(seen);
    },
    positions: async () => {
      const { data } = await client.getCurrentPosition({ category });
      return data.list.map((held) => ({
        symbol: held.symbol,
        side: held.posSide,
        size: Number(held.total),
        entry: Number(held.avgPrice),
        leverage: Number(held.leverage),
        isHedged: held.holdMode === 'hedge_mode',
      }));
    },
  };
}

/** The client methods of each path. */
export const traders = {
  'ccxt, classic': (at: At) => byCcxt('classic', at),
  'ccxt, unified': (at: At) => byCcxt('unified', at),
  'bitget-api, REST v2': byBitgetV2,
  'bitget-api, REST v3': byBitgetV3,
} as const;

interface ClassicRow {
  readonly clientOid: string;
  readonly side: string;
  readonly tradeSide: string;
  readonly size: string;
  readonly baseVolume: string;
  readonly state?: string;
  readonly status?: string;
  readonly orderType: string;
  readonly price: string;
  readonly priceAvg: string;
  readonly fee: string;
}

interface UnifiedRow {
  readonly clientOid: string;
  readonly side: string;
  readonly qty: string;
  readonly cumExecQty: string;
  readonly orderStatus: string;
  readonly orderType: string;
  readonly price: string;
  readonly avgPrice: string;
  readonly feeDetail: readonly { readonly fee: string }[];
}

function leverageIn(settings: {
  readonly symbolConfigList: readonly {
    readonly category: string;
    readonly symbol: string;
    readonly leverage: string;
  }[];
}): number {
  const found = settings.symbolConfigList.find(
    (row) => row.category === line && row.symbol === symbol,
  );
  return Number(found?.leverage);
}

function opposite(side: string): 'buy' | 'sell' {
  return side === 'buy' ? 'sell' : 'buy';
}

/** A status in the words of ccxt. */
export function worded(status: string): string {
  if (status === 'filled') return 'closed';
  return status.startsWith('cancel') ? 'canceled' : 'open';
}
