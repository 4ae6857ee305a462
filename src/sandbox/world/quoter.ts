/** The market maker: moves a market's quotes and mark price to their random values. */
import { hour, type Millis } from '../../base/clock.ts';
import { makerUid } from './initial-accounts.ts';
import { scaled, unitsOf } from './digits.ts';
import type { Market, Quote } from './markets.ts';
import { secondOf, type World } from './world.ts';

const stepMax = 0.03; // one move; a larger one is split, so that every price on the way is reached

/** Moves one market to a time: every resting order that the price passes is filled. */
export function bring(world: World, market: Market, at: Millis): void {
  const { quoted } = world.registry;
  if (quoted[market.key] === secondOf(at)) return;
  moveTo(world, market, { ticks: market.ticksAt(at), at });
  world.update({ quoted: { ...quoted, [market.key]: secondOf(at) } });
}

/** Removes the maker's quotes from a market without other orders. */
export function leave(world: World, market: Market, at: Millis): void {
  withdraw(world, market, at);
  const { [market.key]: _gone, ...quoted } = world.registry.quoted;
  world.update({ quoted });
}

/** Moves a market's price at any time. */
export function moveTo(
  world: World,
  market: Market,
  { ticks, at }: { readonly ticks: number; readonly at: Millis },
): void {
  const { category, symbol, priceScale } = market.instrument;
  setFunding(world, market, at);
  for (const step of stepsTo(world, market, ticks)) {
    withdraw(world, market, at);
    const { bids, asks } = market.quotes(at, step);
    for (const quote of bids) offer(world, market, { side: 'buy', quote, at });
    for (const quote of asks) offer(world, market, { side: 'sell', quote, at });
    if (category === 'SPOT') continue;
    const index = scaled(step, priceScale);
    // The mark price follows; if another was set manually, it ends there.
    const mark = step === ticks ? scaled(market.markAt(at), priceScale) : index;
    world.engine.apply({ kind: 'set-price', category, symbol, mark, index }, at);
  }
}

/** The steps from the engine's price to the new one. */
function stepsTo(world: World, market: Market, ticks: number): number[] {
  const { category, symbol, priceScale } = market.instrument;
  const index = world.engine.market(category, symbol)?.indexPrice;
  if (index === undefined) return [ticks];
  return stepsBetween(unitsOf(index, priceScale), ticks).map((step) => market.onStep(step));
}

function stepsBetween(from: number, ticks: number): number[] {
  const doubled = from * 2; // a price that rises far doubles repeatedly, in larger steps each time
  if (ticks > doubled) return [...stepsBetween(from, doubled), ...stepsBetween(doubled, ticks)];
  const count = Math.max(1, Math.ceil(Math.abs(ticks - from) / (from * stepMax)));
  return Array.from({ length: count }, (_, step) =>
    Math.round(from + ((ticks - from) * (step + 1)) / count),
  );
}

function withdraw(world: World, { instrument }: Market, at: Millis): void {
  const { category, symbol } = instrument;
  world.engine.apply({ kind: 'cancel-all', uid: makerUid, category, symbol }, at);
}

/**
 * Offers quotes of the maker. A market that is closed, in delivery or not yet open refuses quotes;
 * then there are none.
 */
function offer(
  world: World,
  { instrument }: Market,
  { side, quote, at }: { side: 'buy' | 'sell'; quote: Quote; at: Millis },
): void {
  const { category, symbol, priceScale, sizeScale } = instrument;
  world.engine.apply(
    {
      kind: 'place',
      uid: makerUid,
      category,
      symbol,
      side,
      orderType: 'limit',
      force: 'gtc',
      price: scaled(quote.ticks, priceScale),
      size: scaled(quote.lots, sizeScale),
    },
    at,
  );
}

const fundingPeriod = 8 * hour;

function setFunding(world: World, market: Market, at: Millis): void {
  const { category, symbol, delivery } = market.instrument;
  if (category === 'SPOT' || delivery !== undefined) return;
  const before = world.registry.quoted[market.key];
  const period = Math.floor(at / fundingPeriod);
  if (before !== undefined && Math.floor((before * 1_000) / fundingPeriod) === period) return;
  const rate = scaled(market.fundingAt(at), 6);
  world.engine.apply({ kind: 'set-funding-rate', category, symbol, rate }, at);
}
