/** The symbols of the sandbox: their steps and base prices. */
import { day, hour, type Millis } from '../../base/clock.ts';
import type { Instrument, InstrumentCategory, MaintenanceTier } from '../engine/instrument.ts';

/** An instrument with its market behavior. */
export interface Listing {
  readonly instrument: Instrument;
  /** The name of the random walk: symbols of one coin move together. */
  readonly walk: string;
  /** Standard deviation of the walk's daily logarithmic change. */
  readonly dailySpread: number;
  /** The price around which the symbol moves, in units of the last place. */
  readonly baseTicks: number;
  /** A typical trade, in units of the size's last place. */
  readonly typicalLots: number;
}

interface Coin {
  readonly name: string;
  readonly price: number; // integer ticks are computed from it once, with an exact product
  readonly dailySpread: number;
  readonly priceScale: number;
  readonly sizeScale: number;
  readonly typicalLots: number;
  readonly sizeMax: string;
  readonly leverageMax: number;
}

const coin = (
  name: string,
  price: number,
  [priceScale, sizeScale]: readonly [number, number],
  [typicalLots, sizeMax]: readonly [number, string],
  [dailySpread, leverageMax]: readonly [number, number],
): Coin => ({
  name,
  price,
  dailySpread,
  priceScale,
  sizeScale,
  typicalLots,
  sizeMax,
  leverageMax,
});

/**
 * Coins: price, [price scale, size scale], [typical lots, largest order], [daily spread, leverage].
 */
const coins = [
  coin('BTC', 78_000, [1, 3], [40, '500'], [0.02, 125]),
  coin('ETH', 3_400, [2, 2], [80, '8000'], [0.025, 100]),
  coin('SOL', 160, [3, 1], [150, '60000'], [0.032, 75]),
  coin('XRP', 2, [4, 0], [1_200, '5000000'], [0.03, 75]),
  coin('DOGE', 0.2, [5, 0], [12_000, '40000000'], [0.035, 75]),
  coin('LINK', 16, [3, 0], [40, '500000'], [0.032, 50]),
  coin('AVAX', 20, [3, 1], [400, '500000'], [0.034, 50]),
  coin('ADA', 0.6, [4, 0], [5_000, '15000000'], [0.032, 75]),
  coin('LTC', 90, [2, 1], [100, '80000'], [0.028, 75]),
] as const;

const spotCoins: readonly string[] = ['BTC', 'ETH', 'SOL', 'XRP'];
const daysToDelivery = 45;
const daysToListing = 14;
const daysListed = 90;

/**
 * Every market, in the order of tickers.
 * @param born when the world starts
 */
export function listings(born: Millis): readonly Listing[] {
  return [
    ...coins.filter(({ name }) => spotCoins.includes(name)).map(spotPair),
    ...coins.map((base) => linear(base, 'USDT-FUTURES', `${base.name}USDT`)),
    linear(coinNamed('BTC'), 'USDC-FUTURES', 'BTCPERP'),
    linear(coinNamed('ETH'), 'USDC-FUTURES', 'ETHPERP'),
    inverse(coinNamed('BTC')),
    inverse(coinNamed('ETH')),
    delivered(born - daysListed * day, born + daysToDelivery * day),
    delivered(born + daysToListing * day, born + (daysToListing + daysListed) * day),
  ];
}

function coinNamed(name: string): Coin {
  const found = coins.find((candidate) => candidate.name === name);
  if (found === undefined) throw new RangeError(`no coin ${name}`);
  return found;
}

function listing(
  base: Coin,
  category: InstrumentCategory,
  own: Pick<Instrument, 'symbol' | 'quoteCoin' | 'marginCoin'> & Partial<Instrument>,
): Listing {
  const instrument: Instrument = {
    category,
    baseCoin: base.name,
    priceScale: base.priceScale,
    priceStep: 1,
    sizeScale: base.sizeScale,
    sizeStep: 1,
    sizeMin: base.sizeScale === 0 ? '1' : `0.${'1'.padStart(base.sizeScale, '0')}`,
    sizeMax: base.sizeMax,
    notionalMin: '5',
    leverageMax: base.leverageMax,
    leverageInitial: 20,
    tiers: tiers(base.leverageMax),
    makerFee: '0.0002',
    takerFee: '0.0006',
    ...own,
  };
  return {
    instrument,
    walk: base.name,
    dailySpread: base.dailySpread,
    baseTicks: Math.round(base.price * 10 ** base.priceScale),
    typicalLots: base.typicalLots,
  };
}

/**
 * The maintenance tiers of a symbol: the rate starts below the smallest initial margin and grows
 * with the position.
 */
export function tiers(leverageMax: number): readonly MaintenanceTier[] {
  const smallest = leverageMax > 100 ? '0.004' : '0.005';
  return [
    { from: '0', rate: smallest },
    { from: '500000', rate: '0.01' },
    { from: '5000000', rate: '0.025' },
    { from: '20000000', rate: '0.05' },
  ];
}

function spotPair(base: Coin): Listing {
  const symbol = `${base.name}USDT`;
  return listing(base, 'SPOT', {
    symbol,
    quoteCoin: 'USDT',
    marginCoin: 'USDT',
    leverageMax: 1,
    leverageInitial: 1,
    tiers: [],
    makerFee: '0.001',
    takerFee: '0.001',
  });
}

function linear(base: Coin, productType: 'USDT-FUTURES' | 'USDC-FUTURES', symbol: string): Listing {
  const quoteCoin = productType === 'USDT-FUTURES' ? 'USDT' : 'USDC';
  return listing(base, productType, { symbol, quoteCoin, marginCoin: quoteCoin });
}

function inverse(base: Coin): Listing {
  return listing(base, 'COIN-FUTURES', {
    symbol: `${base.name}USD`,
    quoteCoin: 'USD',
    marginCoin: base.name,
  });
}

/** A symbol that is settled at 08:00 UTC of a day, and named after its month. */
function delivered(from: Millis, to: Millis): Listing {
  const morning = (moment: Millis): Millis => Math.floor(moment / day) * day + 8 * hour;
  const date = new Date(morning(to));
  const month = 'FGHJKMNQUVXZ'.charAt(date.getUTCMonth());
  return listing(coinNamed('BTC'), 'COIN-FUTURES', {
    symbol: `BTCUSD${month}${String(date.getUTCFullYear() % 100).padStart(2, '0')}`,
    quoteCoin: 'USD',
    marginCoin: 'BTC',
    delivery: { startTime: morning(from), time: morning(to) },
  });
}
