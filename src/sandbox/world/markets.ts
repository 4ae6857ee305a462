/** Every market's price, public trades and quotes at any time, computed from the seed. */
import { second, type Millis } from '../../base/clock.ts';
import type { InstrumentCategory } from '../engine/instrument.ts';
import { unitsOf } from './digits.ts';
import { listings, type Listing } from './instruments.ts';
import { noise } from './noise.ts';
import { pinAt, type MarketKey, type Pin } from './pins.ts';
import { fundingRate } from './rates.ts';
import { tape, type Tape } from './tape.ts';
import { walk, type Walk } from './walk.ts';

export interface Market extends Listing {
  readonly key: MarketKey;
  /** The fair price in units of the last place; mark price, quotes and trades follow it. */
  ticksAt(moment: Millis): number;
  /** The nearest price that the symbol's steps allow. */
  onStep(ticks: number): number;
  /** The price for valuing positions: the fair price unless another was set manually. */
  markAt(moment: Millis): number;
  /**
   * The rate that longs pay shorts at the end of the period, in units of 10^-6; always 0 for
   * delivery symbols.
   */
  fundingAt(moment: Millis): number;
  readonly tape: Tape;
  /** The makers' quotes in a second around a fair price, best first. */
  quotes(moment: Millis, fair: number): Quotes;
}

export interface Quote {
  readonly ticks: number;
  readonly lots: number;
}

export interface Quotes {
  readonly bids: readonly Quote[];
  readonly asks: readonly Quote[];
}

const levels = 6;
const lastLevelFactor = 60; // the last level represents all deeper levels

export function keyOf(category: InstrumentCategory, symbol: string): MarketKey {
  return `${category}:${symbol}`;
}

/**
 * The markets of a world.
 * @param listed additional symbols of this world
 * @param pins returns the current manual prices, oldest first
 */
export function marketsOf(
  { seed, born }: { readonly seed: number; readonly born: Millis },
  { listed, pins }: { readonly listed: readonly Listing[]; readonly pins: () => readonly Pin[] },
): ReadonlyMap<MarketKey, Market> {
  const walks = new Map<string, Walk>();
  return new Map(
    [...listings(born), ...listed].map((listing) => {
      const { category, symbol } = listing.instrument;
      const key = keyOf(category, symbol);
      const shared = walks.get(listing.walk) ?? walk(seed, listing.walk, listing.dailySpread);
      walks.set(listing.walk, shared);
      return [key, market(seed, listing, { key, walk: shared, pins })];
    }),
  );
}

function market(
  seed: number,
  listing: Listing,
  { key, walk: follow, pins }: { key: MarketKey; walk: Walk; pins: () => readonly Pin[] },
): Market {
  const chance = noise(seed, `quotes ${key}`);
  const handSet = (what: Pin['what'], moment: Millis): number | undefined =>
    pinAt(pins(), { market: key, what, moment })?.ticks ?? undefined;
  const { typicalLots, instrument } = listing;
  const { priceStep, sizeStep, sizeScale } = instrument;
  const onStep = (ticks: number): number => Math.max(1, Math.round(ticks / priceStep)) * priceStep;
  const ticksAt = (moment: Millis): number =>
    handSet('price', moment) ?? onStep(listing.baseTicks * follow(moment));
  const lotsMax = unitsOf(instrument.sizeMax, sizeScale);
  const steps = (lots: number): number =>
    Math.min(Math.ceil(lots / sizeStep), Math.floor(lotsMax / sizeStep)) * sizeStep;
  const traded = { from: instrument.delivery?.startTime ?? 0, to: instrument.delivery?.time };
  return {
    ...listing,
    key,
    ticksAt,
    onStep,
    markAt: (moment) => handSet('mark', moment) ?? ticksAt(moment),
    fundingAt: (moment) =>
      instrument.delivery ? 0 : (handSet('funding', moment) ?? fundingRate(seed, key, moment)),
    tape: tape(seed, key, { ticksAt, typicalLots, priceStep, sizeStep, traded }),
    quotes: (moment, fair) => {
      const gap = Math.max(1, Math.round(fair / (10_000 * priceStep)));
      const place = Math.floor(moment / second) * levels * 2;
      const side = (sign: 1 | -1): Quote[] =>
        Array.from({ length: levels }, (_, level) => {
          const size = 1 + chance.integer(place + level * 2 + (sign === 1 ? 1 : 0), 4);
          const depth = level === levels - 1 ? lastLevelFactor : 1 + level;
          const ticks = fair + sign * (1 + level * gap) * priceStep;
          return { ticks, lots: steps(typicalLots * size * depth) };
        }).filter(({ ticks }) => ticks > 0);
      return { bids: side(-1), asks: side(1) };
    },
  };
}
