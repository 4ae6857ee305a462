/** The reads of a plan: mark prices, open orders, positions, settings. Nothing here writes. */
import { second, type Millis } from '../../base/clock.ts';
import { decimal, isDecimalText, zero } from '../../base/decimal.ts';
import type { JsonRecord } from '../../base/json.ts';
import { spoken } from '../../base/text.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { OrderRead } from '../../exchange/api/keyed-write.ts';
import { readableField } from '../../exchange/api/needed.ts';
import type { AnswerOf, OperationName } from '../../exchange/api/operations/index.ts';
import { lineKey, type ListedLine } from '../../exchange/api/meant-order.ts';
import type { Family } from '../../exchange/api/family.ts';
import { heldPositions, type HeldSizes } from '../../exchange/api/position-lists.ts';
import { modeBefore, type Write } from '../../exchange/api/position-mode.ts';
import { shownState, type Setting, type ShownState } from '../../exchange/api/shown-state.ts';
import type { PositionMode } from '../../exchange/api/terms.ts';
import {
  futuresProductTypes,
  type ProductType,
  type TickerCategory,
} from '../../exchange/api/vocabulary.ts';
import type { MarketPrices } from './measure.ts';
import { ordersByName } from './found-orders.ts';
import type { NamedOrders, Order } from './order-row.ts';
import { readOrder } from './read-order.ts';

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
  /** Symbols of a market with their mark prices and quote precision. */
  quotes(market: TickerCategory): Promise<ReadonlyMap<string, Quote>>;
}

/** Reads during planning; each kind is read once per product line, for any number of steps. */
export interface Observer extends Market {
  /** Orders of a product line by clientOid: open ones, and closed ones since then; 0 is 90 days. */
  orders(line: ListedLine, since?: Millis): Promise<NamedOrders>;
  /** The order that a write names; undefined if the exchange does not know it, or not yet. */
  order(read: OrderRead, input: JsonRecord): Promise<Order | undefined>;
  /** Symbols of a product type with an open position. */
  positions(productType: ProductType): Promise<readonly string[]>;
  /**
   * The state that a write sets, as the account shows it; undefined if nothing shows it.
   * @throws RefusedError, UnavailableError, AnswerError
   */
  state(setting: Setting): Promise<ShownState | undefined>;
  /**
   * The sizes of the positions of a product line, by symbol.
   * @throws RefusedError, UnavailableError, AnswerError
   */
  held(line: ProductType, family: Family | undefined): Promise<ReadonlyMap<string, HeldSizes>>;
  /** The position mode of the account in the product line of a futures order; undefined if it is not known. */
  mode(write: Write, line: ProductType, family: Family): Promise<PositionMode | undefined>;
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
    quotes: once(async (category: TickerCategory) => {
      const tickers = await counted.call('market/list-tickers', { category }, { signal });
      return quotesIn(category, tickers, await exchange.serverTime(signal));
    }),
    orders: onceSince(({ line, lists }, since) =>
      ordersByName(counted, { line, lists, signal, ...(since !== undefined && { since }) }),
    ),
    order: (read, input) => readOrder(counted, read, { input, signal }),
    positions: once(async (productType: ProductType) => {
      const ranks = await counted.call('futures/list-adl-ranks', { productType }, { signal });
      const symbols = ranks.map(
        (rank) =>
          readableField('futures/list-adl-ranks', rank, 'symbol') ?? 'a symbol not readable',
      );
      return [...new Set(symbols)];
    }),
    held: heldOnce(counted, signal),
    state: (setting) => shownState(setting, counted, { signal }),
    mode: modeOnce(counted, signal),
  };
}

/**
 * Maximum age of a mark price by the exchange's clock, in both directions. The exchange computes
 * one about every second; the rest is for the transmission.
 */
const markAgeMax = 10 * second;

/** The name of a symbol's quote: futures symbols are unique, and a spot symbol may be equal to one. */
export function quoteName(market: TickerCategory, symbol: string): string {
  const name = symbol.toUpperCase();
  return market === 'SPOT' ? `${name} of SPOT` : name;
}

/** Quotes by name, from tickers at a time of the exchange's clock. */
export function quotesIn(
  market: TickerCategory,
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
        ...marketIn(symbol, textOf, { now, price: market === 'SPOT' ? 'last' : 'mark' }),
        priceScale: scaleShown(['lastPrice', 'ask1Price', 'bid1Price'].map(textOf)),
        sizeScale: scaleShown(['ask1Size', 'bid1Size'].map(textOf)),
      };
      return [[quoteName(market, symbol), quote]];
    }),
  );
}

function marketIn(
  symbol: string,
  textOf: (field: string) => string | undefined,
  { now, price }: { readonly now: Millis; readonly price: 'mark' | 'last' },
): Pick<Quote, 'market' | 'unpriced'> {
  const markPrice = textOf(`${price}Price`) ?? 'not readable';
  const ts = textOf('ts');
  if (!isPrice(markPrice)) {
    const shown = markPrice === '' ? 'empty' : markPrice;
    return { unpriced: `the ${price} price of ${symbol} is ${shown}` };
  }
  if (ts === undefined) return { unpriced: `the ${price} price of ${symbol} has no readable time` };
  const age = now - Number(ts);
  if (!(Math.abs(age) <= markAgeMax)) {
    const off = age > 0 ? `${spoken(age)} old` : `${spoken(-age)} ahead of the exchange’s clock`;
    return { unpriced: `the ${price} price of ${symbol} is ${off}` };
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

function once<K extends string, T>(look: (kind: K) => Promise<T>): (kind: K) => Promise<T> {
  const seen = new Map<K, Promise<T>>();
  return (kind) => {
    const known = seen.get(kind) ?? look(kind);
    seen.set(kind, known);
    return known;
  };
}

/** Position modes, read once for each product line. */
function modeOnce(exchange: Exchange, signal: AbortSignal): Observer['mode'] {
  const seen = new Map<ProductType, ReturnType<Observer['mode']>>();
  return (write, line, family) => {
    const known = seen.get(line) ?? modeBefore(write, line, { exchange, family }, { signal });
    seen.set(line, known);
    return known;
  };
}

/** Positions, read once for each product line. */
function heldOnce(exchange: Exchange, signal: AbortSignal): Observer['held'] {
  const seen = new Map<ProductType, ReturnType<Observer['held']>>();
  return (line, family) => {
    const known = seen.get(line) ?? heldPositions(line, family, { exchange, options: { signal } });
    seen.set(line, known);
    return known;
  };
}

function onceSince<T>(
  look: (line: ListedLine, since?: Millis) => Promise<T>,
): (line: ListedLine, since?: Millis) => Promise<T> {
  const seen = new Map<string, Promise<T>>();
  return (line, since) => {
    const name = `${lineKey(line)} since ${since}`;
    const known = seen.get(name) ?? look(line, since);
    seen.set(name, known);
    return known;
  };
}
