/** The reads of a plan: mark prices, open orders, positions. Nothing here writes. */
import { second, type Millis } from '../base/clock.ts';
import { decimal, isDecimalText, zero } from '../base/decimal.ts';
import { spoken } from '../base/text.ts';
import type { Exchange } from '../api/exchange.ts';
import type { OperationName, Output } from '../api/operations/index.ts';
import { futuresProductTypes, type ProductType } from '../api/vocabulary.ts';
import type { MarketPrices } from './measure.ts';
import { ordersByName, type Order } from './orders.ts';

/** A symbol as its ticker shows it. */
export interface Quote {
  /** Its market price; absent if it is not plausible. */
  readonly market?: MarketPrices;
  /** Why the market data is not plausible. */
  readonly unpriced?: string;
  /** Maximum decimal places of its prices, and of the sizes at the top of its book. */
  readonly priceScale: number;
  readonly sizeScale: number;
}

/** The market as every account sees it. */
export interface Market {
  /** Symbols of a product type with their mark prices and quote precision. */
  quotes(productType: ProductType): Promise<ReadonlyMap<string, Quote>>;
}

/** Reads during planning; each kind is read once per product type, for any number of steps. */
export interface Observer extends Market {
  /** Orders of a product type by clientOid: open ones, and closed ones since then; 0 is 90 days. */
  orders(productType: ProductType, since?: Millis): Promise<ReadonlyMap<string, Order>>;
  /** Symbols of a product type with an open position. */
  positions(productType: ProductType): Promise<readonly string[]>;
  /** Requests made so far. */
  readonly requests: Map<OperationName, number>;
}

export function observerOf(exchange: Exchange, signal: AbortSignal): Observer {
  const requests = new Map<OperationName, number>();
  const counted: Exchange = {
    serverTime: (given) => exchange.serverTime(given),
    watchTime: () => exchange.watchTime(),
    call: (name, input, options) => {
      requests.set(name, (requests.get(name) ?? 0) + 1);
      return exchange.call(name, input, options);
    },
  };
  return {
    requests,
    quotes: once(async (productType) => {
      const tickers = await counted.call(
        'market/list-tickers',
        { category: productType },
        { signal },
      );
      return quotesIn(tickers, await exchange.serverTime(signal));
    }),
    orders: onceSince((category, since) =>
      ordersByName(counted, { category, signal, ...(since !== undefined && { since }) }),
    ),
    positions: once(async (productType) => {
      const ranks = await counted.call('futures/list-adl-ranks', { productType }, { signal });
      return [...new Set(ranks.map(({ symbol }) => symbol))];
    }),
  };
}

/**
 * Maximum age of a mark price by the exchange's clock, in both directions. The exchange computes
 * one about every second; the rest is for the transmission.
 */
const markAgeMax = 10 * second;

/** Symbols by name, from tickers at a time of the exchange's clock. */
export function quotesIn(
  tickers: Output<'market/list-tickers'>,
  now: Millis,
): ReadonlyMap<string, Quote> {
  return new Map(
    tickers.map((ticker) => [
      ticker.symbol.toUpperCase(),
      {
        ...marketIn(ticker, now),
        priceScale: scaleOf([ticker.lastPrice, ticker.ask1Price, ticker.bid1Price]),
        sizeScale: scaleOf([ticker.ask1Size, ticker.bid1Size]),
      },
    ]),
  );
}

type Ticker = Output<'market/list-tickers'>[number];

function marketIn(
  { symbol, markPrice = '', bid1Price, ask1Price, ts }: Ticker,
  now: Millis,
): Pick<Quote, 'market' | 'unpriced'> {
  const age = now - Number(ts);
  if (!isPrice(markPrice)) {
    const shown = markPrice === '' ? 'empty' : markPrice;
    return { unpriced: `the mark price of ${symbol} is ${shown}` };
  }
  if (!(Math.abs(age) <= markAgeMax)) {
    const off = age > 0 ? `${spoken(age)} old` : `${spoken(-age)} ahead of the exchange’s clock`;
    return { unpriced: `the mark price of ${symbol} is ${off}` };
  }
  const [bid, ask] = [bid1Price, ask1Price];
  return {
    market: { mark: markPrice, ...(isPrice(bid) && { bid }), ...(isPrice(ask) && { ask }) },
  };
}

/** Whether a text is a price: a plain number above zero. */
export function isPrice(text: string): boolean {
  return isDecimalText(text) && decimal(text).gt(zero);
}

/** Most decimal places in some texts. */
export function scaleOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0));
}

/** A futures product type in a playbook, or undefined. */
export function productTypeOf(value: unknown): ProductType | undefined {
  return futuresProductTypes.find((productType) => productType === value);
}

function once<T>(
  look: (productType: ProductType) => Promise<T>,
): (productType: ProductType) => Promise<T> {
  const seen = new Map<ProductType, Promise<T>>();
  return (productType) => {
    const known = seen.get(productType) ?? look(productType);
    seen.set(productType, known);
    return known;
  };
}

function onceSince<T>(
  look: (productType: ProductType, since?: Millis) => Promise<T>,
): (productType: ProductType, since?: Millis) => Promise<T> {
  const looks = new Map<Millis | undefined, (productType: ProductType) => Promise<T>>();
  return (productType, since) => {
    const known = looks.get(since) ?? once((asked) => look(asked, since));
    looks.set(since, known);
    return known(productType);
  };
}
