/** A market's public trades: the computed ones and those of accounts, merged. */
import type { Millis } from '../../base/clock.ts';
import type { TimeRange, TradeSums, TradeView } from '../engine/view.ts';
import { lastDayOf } from './day.ts';
import { unitsOf } from './digits.ts';
import type { Market } from './markets.ts';
import { pinAt } from './pins.ts';
import { joined, type SumsOf } from './sums.ts';
import type { PublicTrade } from './tape.ts';
import type { World } from './world.ts';

/** Trades in a span, newest first. */
export function* tradesBetween(
  world: World,
  market: Market,
  span: TimeRange,
): Iterable<PublicTrade> {
  const own = ownTrades(world, market, span)[Symbol.iterator]();
  let next = own.next();
  for (const trade of market.tape.between(span)) {
    // At equal times, trades of accounts are newer: their ids are larger.
    for (; next.done !== true && next.value.ts >= trade.ts; next = own.next()) yield next.value;
    yield trade;
  }
  for (; next.done !== true; next = own.next()) yield next.value;
}

/**
 * Price of the newest trade up to a time; the fair price if there is none, or it was set manually
 * since.
 */
export function lastPriceOf(world: World, market: Market, now: Millis): number {
  const { pins } = world.registry;
  const handSet = pinAt(pins, { market: market.key, what: 'price', moment: now });
  const from = handSet?.from ?? 0;
  for (const { ts, place, ticks } of tradesBetween(world, market, { from, to: now })) {
    // Orders on the way to a manual price were filled at that very time, before it.
    if (handSet === undefined || ts > from || place > handSet.trades) return ticks;
  }
  return market.ticksAt(now);
}

const days = new WeakMap<World, Map<string, (now: Millis) => TradeSums | undefined>>();

/** The market's last 24 hours; past parts are cached as long as the world exists. */
export function lastDay(world: World, market: Market, now: Millis): TradeSums | undefined {
  const known = days.get(world) ?? new Map();
  days.set(world, known);
  const { category, symbol } = market.instrument;
  const sums: SumsOf = (span) =>
    joined(market.tape.sums(span), world.engine.tradeSums(category, symbol, span));
  const ask = known.get(market.key) ?? lastDayOf(sums);
  known.set(market.key, ask);
  return ask(now);
}

function* ownTrades(
  { engine }: World,
  { instrument }: Market,
  { from, to }: TimeRange,
): Iterable<PublicTrade> {
  for (const trade of engine.trades(instrument.category, instrument.symbol, undefined, to)) {
    if (trade.time < from) return;
    yield publicTrade(trade, instrument);
  }
}

function publicTrade(
  { sequence, price, size, side, time }: TradeView,
  { priceScale, sizeScale }: Market['instrument'],
): PublicTrade {
  return {
    ts: time,
    place: sequence,
    ticks: unitsOf(price, priceScale),
    lots: unitsOf(size, sizeScale),
    side,
  };
}
