/** A symbol of a scenario, completed with usual values. */
import type { Infer } from '../../exchange/api/schema.ts';
import { Refusal } from '../refusal.ts';
import { scaled, unitsOf } from '../world/digits.ts';
import { tiers, type Listing } from '../world/instruments.ts';
import { unitsMax } from '../world/set-by-hand.ts';
import type { instrument } from './trading.ts';

const usual = {
  leverageMax: 50,
  makerFee: '0.0002',
  takerFee: '0.0006',
  notionalMin: '5',
  dailySpread: 0.03,
} as const;
const usualLots = 100;
const usualMax = 1_000_000; // in base coin
const largest = 10_000; // typical trade sizes for cheap coins

/** The listing of a symbol. @throws Refusal when its price does not fit its decimal places */
export function listingOf(wanted: Infer<typeof instrument>): Listing {
  const { price, dailySpread = usual.dailySpread, typicalLots = usualLots, ...given } = wanted;
  const { category, baseCoin, quoteCoin, priceScale, sizeScale, symbol } = given;
  const baseTicks = unitsOf(price, priceScale);
  if (baseTicks < 1 || baseTicks > unitsMax) throw new Refusal('40020', `the price of ${symbol}`);
  const isSpot = category === 'SPOT';
  const leverageMax = isSpot ? 1 : (given.leverageMax ?? usual.leverageMax);
  const { sizeMin = scaled(1, sizeScale), notionalMin = usual.notionalMin } = given;
  // Ensures that makers can quote, even after the price has halved.
  const ofValue = Math.ceil((2 * Number(notionalMin) * 10 ** sizeScale) / Number(price));
  const middling = Math.max(typicalLots, unitsOf(sizeMin, sizeScale), ofValue);
  return {
    instrument: {
      marginCoin: category === 'COIN-FUTURES' ? baseCoin : quoteCoin,
      priceStep: 1,
      sizeStep: 1,
      sizeMax: scaled(Math.max(usualMax * 10 ** sizeScale, largest * middling), sizeScale),
      makerFee: usual.makerFee,
      takerFee: usual.takerFee,
      ...given,
      sizeMin,
      notionalMin,
      leverageMax,
      leverageInitial: Math.min(leverageMax, 20),
      tiers: isSpot ? [] : tiers(leverageMax),
    },
    walk: baseCoin,
    dailySpread,
    baseTicks,
    typicalLots: middling,
  };
}
