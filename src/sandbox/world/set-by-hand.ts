/** Sets prices and rates manually. */
import type { Millis } from '../../base/clock.ts';
import { Refusal } from '../refusal.ts';
import type { Act } from './act.ts';
import { exactUnitsOf } from './digits.ts';
import type { Market } from './markets.ts';
import { withPin } from './pins.ts';
import { bring } from './quoter.ts';
import type { World } from './world.ts';

type SetByHand = Extract<Act, { kind: 'pin' }>;

/**
 * Sets a price or a rate from a time on; in a market with accounts, every order on the way is
 * filled.
 * @throws Refusal when the market or its value does not exist
 */
export function pin(world: World, act: SetByHand, at: Millis): void {
  const market = world.markets.get(act.market);
  if (market === undefined) throw new Refusal('40102', act.market);
  const ticks = unitsSet(act, market);
  const { quoted } = world.registry;
  const set = (): void => {
    const trades = tradesSeen(world, market);
    const { market: key, what } = act;
    const { pins } = world.registry;
    world.update({ pins: withPin(pins, { market: key, what, from: at, ticks, trades }) });
  };
  set();
  if (quoted[act.market] === undefined) return; // no account is there: the price applies when it is requested
  world.update({ quoted: { ...quoted, [act.market]: -1 } });
  bring(world, market, at);
  set(); // trades on the way to the price were before it
}

/**
 * Converts a manual value to units of its last place.
 * @throws Refusal when the market cannot have it
 */
export function unitsSet(
  { what, price }: Pick<SetByHand, 'what' | 'price'>,
  market: Market,
): number | null {
  const { priceScale, priceStep, category, delivery } = market.instrument;
  const isFunding = what === 'funding';
  if (isFunding && (category === 'SPOT' || delivery !== undefined)) throw new Refusal('22012');
  if (price === null) return null;
  const units = exactUnitsOf(price, isFunding ? fundingScale : priceScale);
  if (units === undefined) throw new Refusal('40808', isFunding ? 'fundingRate' : what);
  if (!isFunding && units <= 0) throw new Refusal('40020', 'a price must be above zero');
  if (units > unitsMax) throw new Refusal('40020', 'a price must have at most 12 digits');
  if (!isFunding && units % priceStep !== 0) throw new Refusal('45115', 'price');
  return units;
}

const fundingScale = 6;

/** The largest price that can be set or listed, in units of its last place. */
export const unitsMax = 10 ** 12 - 1;

function tradesSeen({ engine }: World, { instrument }: Market): number {
  for (const { sequence } of engine.trades(instrument.category, instrument.symbol)) return sequence;
  return 0;
}
