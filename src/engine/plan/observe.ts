/** The reads of a plan: mark prices, open orders, positions. Nothing here writes. */
import { second, type Millis } from '../../base/clock.ts';
import { decimal, isDecimalText, zero } from '../../base/decimal.ts';
import { spoken } from '../../base/text.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import { readableField } from '../../exchange/api/needed.ts';
import type { AnswerOf, OperationName } from '../../exchange/api/operations/index.ts';
import { futuresProductTypes, type ProductType } from '../../exchange/api/vocabulary.ts';
import type { MarketPrices } from './measure.ts';
import { ordersByName } from './found-orders.ts';
import type { NamedOrders } from './order-row.ts';

/** The quote of a symbol as its ticker shows it. */
export interface Quote {
  /** The market price of the symbol; absent if it is not plausible. */
  readonly market?: MarketPrices;
  /** Why the market data is not plausible. */
  readonly unpriced?: string;
  /** The maximum decimal places of the symbol's prices, and of the sizes at the top of its book. */
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
  orders(productType: ProductType, since?: Millis): Promise<NamedOrders>;
  /** Symbols of a product type with an open position. */
  positions(productType: ProductType): Promise<readonly string[]>;
  /** The requests made until now. */
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
      const symbols = ranks.map(
        (rank) =>
          readableField('futures/list-adl-ranks', rank, 'symbol') ?? 'a symbol not readable',
      );
      return [...new Set(symbols)];
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
  tickers: AnswerOf<'market/list-tickers'>,
  now: Millis,
): ReadonlyMap<string, Quote> {
  return new Map(
    tickers.flatMap((ticker): [string, Quote][] => {
      const textOf = (field: string): string | undefined =>
        readableField('market/list-tickers', ticker, field);
      const symbol = textOf('symbol');
      if (symbol === undefined) return []; // the ticker of no symbol that anyone can name
      const quote = {
        ...marketIn(symbol, textOf, now),
        priceScale: scaleShown(['lastPrice', 'ask1Price', 'bid1Price'].map(textOf)),
        sizeScale: scaleShown(['ask1Size', 'bid1Size'].map(textOf)),
      };
      return [[symbol.toUpperCase(), quote]];
    }),
  );
}

function marketIn(
  symbol: string,
  textOf: (field: string) => string | undefined,
  now: Millis,
): Pick<Quote, 'market' | 'unpriced'> {
  const markPrice = textOf('markPrice') ?? 'not readable';
  const ts = textOf('ts');
  if (!isPrice(markPrice)) {
    const shown = markPrice === '' ? 'empty' : markPrice;
    return { unpriced: `the mark price of ${symbol} is ${shown}` };
  }
  if (ts === undefined) return { unpriced: `the mark price of ${symbol} has no readable time` };
  const age = now - Number(ts);
  if (!(Math.abs(age) <= markAgeMax)) {
    const off = age > 0 ? `${spoken(age)} old` : `${spoken(-age)} ahead of the exchange’s clock`;
    return { unpriced: `the mark price of ${symbol} is ${off}` };
  }
  const [bid = '', ask = ''] = [textOf('bid1Price'), textOf('ask1Price')];
  return {
    market: { mark: markPrice, ...(isPrice(bid) && { bid }), ...(isPrice(ask) && { ask }) },
  };
}

/** The precision that texts show; without any, nothing is finer. */
function scaleShown(texts: readonly (string | undefined)[]): number {
  const shown = texts.flatMap((text) => text || []);
  return shown.length === 0 ? Infinity : scaleOf(shown);
}

/** Whether a text is a price: a plain number above zero. */
export function isPrice(text: string): boolean {
  return isDecimalText(text) && decimal(text).gt(zero);
}

/** The largest number of decimal places in some texts. */
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
