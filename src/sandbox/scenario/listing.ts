/** A symbol a scenario lists, filled up with what symbols usually have. */
import type { Infer } from '../../contract/schema.ts';
import { tiers, type Listing } from '../world/instruments.ts';
import { unitsOf } from '../world/digits.ts';
import type { instrument } from './trading.ts';

const usual = { leverageMax: 50, makerFee: '0.0002', takerFee: '0.0006', dailySpread: 0.03 };
const usualLots = 100;
const usualMax = '1000000';

export function listingOf(wanted: Infer<typeof instrument>): Listing {
  const { price, dailySpread = usual.dailySpread, typicalLots = usualLots, ...given } = wanted;
  const { category, baseCoin, quoteCoin, sizeScale } = given;
  const isSpot = category === 'SPOT';
  const leverageMax = isSpot ? 1 : (given.leverageMax ?? usual.leverageMax);
  const smallest = sizeScale === 0 ? '1' : `0.${'1'.padStart(sizeScale, '0')}`;
  return {
    instrument: {
      marginCoin: category === 'COIN-FUTURES' ? baseCoin : quoteCoin,
      priceStep: 1,
      sizeStep: 1,
      sizeMin: smallest,
      sizeMax: usualMax,
      notionalMin: '5',
      makerFee: usual.makerFee,
      takerFee: usual.takerFee,
      ...given,
      leverageMax,
      leverageInitial: Math.min(leverageMax, 20),
      tiers: isSpot ? [] : tiers(leverageMax),
    },
    walk: baseCoin,
    dailySpread,
    baseTicks: unitsOf(price, wanted.priceScale),
    typicalLots,
  };
}
