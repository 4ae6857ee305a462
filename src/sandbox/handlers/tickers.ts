/** Endpoint 11: the state of every market of a product type, or of one. */
import { day, type Millis } from '../../base/clock.ts';
import { decimal, decimalText, divide } from '../../base/decimal.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import type { MarketView } from '../engine/view.ts';
import { Refusal } from '../refusal.ts';
import { add, scaled } from '../world/digits.ts';
import type { Market, Quote } from '../world/markets.ts';
import { noise } from '../world/noise.ts';
import { lastDay, lastPriceOf } from '../world/trades.ts';
import type { World } from '../world/world.ts';
import type { Handler } from './handler.ts';

type Ticker = Output<'market/list-tickers'>[number];

export const listTickers: Handler<'market/list-tickers'> = ({ category, symbol }, context) => {
  const { world, now } = context;
  const wanted = [...world.markets.values()].filter(
    ({ instrument }) =>
      instrument.category === category && (symbol === undefined || instrument.symbol === symbol),
  );
  if (symbol !== undefined && wanted.length === 0) throw new Refusal('25100', symbol);
  return wanted.map((market) => ticker(world, market, now));
};

function ticker(world: World, market: Market, now: Millis): Ticker {
  const { category, symbol } = market.instrument;
  const view = world.engine.market(category, symbol);
  return {
    category,
    symbol,
    ts: String(now),
    ...prices(world, market, now),
    ...bestQuotes(world, market, { now, view }),
    ...(category === 'SPOT' ? {} : futuresFields(world, market, { now, view })),
  };
}

function prices(world: World, market: Market, now: Millis) {
  const { priceScale, sizeScale } = market.instrument;
  const last = lastPriceOf(world, market, now);
  const sums = lastDay(world, market, now);
  const open = sums === undefined ? last : lastPriceOf(world, market, now - day);
  const price = (ticks: number): string => scaled(ticks, priceScale);
  const change = divide(decimal(String(last - open)), decimal(String(open)), {
    scale: 5,
    rounding: 'half-up',
  });
  return {
    lastPrice: price(last),
    openPrice24h: price(open),
    highPrice24h: price(Math.max(sums?.highTicks ?? last, last)),
    lowPrice24h: price(Math.min(sums?.lowTicks ?? last, last)),
    price24hPcnt: decimalText(change),
    volume24h: scaled(sums?.lots ?? 0, sizeScale),
    turnover24h: scaled(sums?.turnover ?? 0, priceScale + sizeScale),
  };
}

interface Seen {
  readonly now: Millis;
  readonly view: MarketView | undefined;
}

/** The best quotes: from the book if it has orders; otherwise those of the maker. */
function bestQuotes(world: World, market: Market, { now, view }: Seen) {
  const { priceScale, sizeScale } = market.instrument;
  const isQuoted = world.registry.quoted[market.key] !== undefined;
  const fromMaker = (quote: Quote | undefined) =>
    quote && { price: scaled(quote.ticks, priceScale), size: scaled(quote.lots, sizeScale) };
  const made = isQuoted || !isTraded(view) ? undefined : market.quotes(now, market.ticksAt(now));
  const ask = isQuoted ? view?.ask : fromMaker(made?.asks[0]);
  const bid = isQuoted ? view?.bid : fromMaker(made?.bids[0]);
  return {
    ask1Price: ask?.price ?? '',
    ask1Size: ask?.size ?? '0',
    bid1Price: bid?.price ?? '',
    bid1Size: bid?.size ?? '0',
  };
}

/**
 * Whether a market has trades and positions of others: not before the start, nor during settlement.
 */
function isTraded(view: MarketView | undefined): boolean {
  const status = view?.deliveryStatus;
  return status !== 'delivery_config_period' && status !== 'delivery_period';
}

function futuresFields(world: World, market: Market, { now, view }: Seen) {
  const { priceScale, sizeScale, delivery } = market.instrument;
  const { seed } = world.origin;
  const rest = noise(seed, `interest ${market.key}`).integer(Math.floor(now / day), 2_000);
  const others = scaled(market.typicalLots * (8_000 + rest), sizeScale);
  return {
    indexPrice: scaled(market.ticksAt(now), priceScale),
    markPrice: scaled(market.markAt(now), priceScale),
    fundingRate: delivery ? '0' : scaled(market.fundingAt(now), 6),
    openInterest: add(isTraded(view) ? others : '0', view?.openInterest ?? '0'),
    deliveryStartTime: delivery ? String(delivery.startTime) : '',
    deliveryTime: delivery ? String(delivery.time) : '',
    deliveryStatus: view?.deliveryStatus ?? '',
  };
}
