/** The recorded environment of a plan, so that the same plan can be recomputed. */
import type { Json } from '../../base/json.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { Address } from '../journal/entry.ts';
import type { Orphan } from '../journal/orphan.ts';
import { mayAct } from './effect.ts';
import { isPrice, observerOf, type Market, type Observer, type Quote } from './observe.ts';
import { NamedOrders } from './order-row.ts';
import type { RecordedQuote, Plan, PlannedAction } from './plan.ts';
import { StalePlanError } from './stale.ts';
import type { Trace } from './trace.ts';
import type { Uses } from './uses.ts';

export interface Recorded {
  /** Values that expressions use, by the address of the read. */
  readonly reads: ReadonlyMap<Address, Json>;
  /** Whether the plan has no effect outside this process: then it has no values, because its run reads them. */
  readonly isLocal: boolean;
  readonly quotes: ReadonlyMap<string, Quote>;
  /** Symbols with an open position, by product line and account. */
  readonly positions: ReadonlyMap<string, readonly string[]>;
  /** Open orders by product line and account. */
  readonly openOrders: ReadonlyMap<string, number>;
  readonly actions: ReadonlyMap<Address, PlannedAction>;
  readonly orphans: readonly Orphan[];
}

/** The current state of everything recorded in a plan. */
export interface Fresh {
  readonly reads: Map<Address, FreshRead>;
  /** The quotes by symbol. */
  readonly quotes: Map<string, Quote>;
  readonly positions: Map<string, readonly string[]>;
}

export interface FreshRead {
  readonly operation: OperationName;
  /** The parts of the response that expressions use. */
  readonly uses: Uses;
  readonly values: Json;
}

/** @throws StalePlanError for a quote that no exchange shows */
export function recordedIn({
  reads,
  quotes,
  positions,
  openOrders = {},
  steps,
  orphans = [],
}: Plan): Recorded {
  return {
    reads: new Map(reads.map(({ address, values }) => [address, values])),
    isLocal: !mayAct({ steps }),
    quotes: new Map(Object.entries(quotes).map(([symbol, quote]) => [symbol, quoteIn(quote)])),
    positions: new Map(Object.entries(positions)),
    openOrders: new Map(Object.entries(openOrders)),
    orphans,
    actions: new Map(
      steps.flatMap(({ actions }) => actions).map((action) => [action.address, action]),
    ),
  };
}

/** The quote that a plan recorded. Without a precision nothing is finer than the quote. */
function quoteIn({ mark, bid, ask, unpriced, places }: RecordedQuote): Quote {
  const wrong = [mark, bid, ask].find((price) => price !== undefined && !isPrice(price));
  if (wrong !== undefined) throw new StalePlanError(`the plan holds ${wrong} as a price`);
  const isEither = (mark === undefined) !== (unpriced === undefined);
  if (!isEither || (mark === undefined && (bid ?? ask) !== undefined)) {
    throw new StalePlanError('the plan holds a quote that is both priced and unpriced, or neither');
  }
  return {
    ...(mark !== undefined && {
      market: { mark, ...(bid !== undefined && { bid }), ...(ask !== undefined && { ask }) },
    }),
    ...(unpriced !== undefined && { unpriced }),
    priceScale: places?.price ?? Infinity,
    sizeScale: places?.size ?? Infinity,
  };
}

export function nothingFresh(): Fresh {
  return { reads: new Map(), quotes: new Map(), positions: new Map() };
}

/** The key of a product type in a plan; for another account it contains its profile. */
export function lineName(line: string, profile: string | undefined): string {
  return profile === undefined ? line : `${line} of ${profile}`;
}

/** The profile in the name of a product type; undefined for the run's own account. */
export function profileIn(name: string): string | undefined {
  const at = name.indexOf(' of ');
  return at === -1 ? undefined : name.slice(at + ' of '.length);
}

/** The source of a plan: the exchange, or a recomputed plan compared with the exchange. */
export interface Sources {
  readonly signal: AbortSignal;
  readonly recorded?: Recorded | undefined;
  /** The record of the results of expressions. */
  readonly trace?: Trace | undefined;
  /** Records current reads; no requests are made when only `recorded` is given. */
  readonly fresh?: Fresh | undefined;
}

/** Whether everything comes from the recomputed plan. */
export function asksNobody({ recorded, fresh }: Pick<Sources, 'recorded' | 'fresh'>): boolean {
  return recorded !== undefined && fresh === undefined;
}

/** @param other an account other than the run's own, and the market as that account sees it */
export function observerFor(
  exchange: Exchange,
  { signal, recorded, fresh }: Sources,
  other?: { readonly profile: string; readonly market: Market },
): Observer {
  const observer = observerOf(exchange, signal);
  if (recorded === undefined) return { ...observer, ...quotesOf(other?.market ?? observer) };
  const market = other?.market ?? {
    quotes: async (market) => {
      const now = fresh && (await observer.quotes(market));
      for (const [symbol, quote] of now ?? []) fresh?.quotes.set(symbol, quote);
      return now === undefined ? recorded.quotes : withPlaces(recorded.quotes, now);
    },
  };
  return {
    requests: observer.requests,
    ...quotesOf(market),
    order: (read, input) => observer.order(read, input),
    orders: async (line, since) => (fresh ? observer.orders(line, since) : new NamedOrders()),
    positions: async (productType) => {
      const name = lineName(productType, other?.profile);
      if (fresh !== undefined) fresh.positions.set(name, await observer.positions(productType));
      return recorded.positions.get(name) ?? [];
    },
    held: (line, family) => observer.held(line, family),
    state: async (setting) => (fresh ? observer.state(setting) : undefined),
    mode: async (write, line, family) => fresh && observer.mode(write, line, family),
  };
}

/**
 * The quotes that all accounts share: a plan has one price of a symbol, from one read of each product
 * type.
 */
function quotesOf(market: Market): Market {
  return { quotes: (line) => market.quotes(line) };
}

/**
 * A quote with its precision. A plan without one uses the current precision: a plan that should have
 * one differs.
 */
function withPlaces(
  recorded: ReadonlyMap<string, Quote>,
  now: ReadonlyMap<string, Quote>,
): ReadonlyMap<string, Quote> {
  return new Map(
    [...recorded].map(([symbol, quote]) => {
      const { priceScale, sizeScale } = now.get(symbol) ?? quote;
      return [
        symbol,
        Number.isFinite(quote.priceScale) ? quote : { ...quote, priceScale, sizeScale },
      ];
    }),
  );
}
