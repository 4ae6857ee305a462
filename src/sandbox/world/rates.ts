/** The exchange's rates: interest, collateral discounts, funding. */
import { hour, type Millis } from '../../base/clock.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import { scaled } from './digits.ts';
import { noise } from './noise.ts';

type Interest = Output<'margin/get-interest-rate'>;
type Discounts = Output<'market/list-discount-rates'>;

/** Daily interest by coin, in units of 10^-8. */
const dailyInterest: ReadonlyMap<string, number> = new Map([
  ['BTC', 6_849],
  ['ETH', 8_219],
  ['SOL', 16_438],
  ['USDC', 19_178],
  ['USDT', 21_918],
  ['XRP', 12_329],
]);

/** Interest on a coin, slightly different every hour; undefined for a coin that cannot be lent. */
export function interestOn(seed: number, coin: string, now: Millis): Interest | undefined {
  const base = dailyInterest.get(coin);
  if (base === undefined) return undefined;
  const updated = Math.floor(now / hour);
  const daily = base + noise(seed, `interest ${coin}`).integer(updated, Math.floor(base / 10));
  return {
    coin,
    dailyInterestRate: scaled(daily, 8),
    annualInterestRate: scaled(daily * 365, 8),
    updatedTime: String(updated * hour),
  };
}

const tiers = (...rows: readonly (readonly [string, string])[]) =>
  rows.map(([tierStartValue, discountRate]) => ({ tierStartValue, discountRate }));

/** How much of a coin's value counts as collateral, by coin and tier. */
export const discounts: Discounts = [
  { coin: 'BTC', list: tiers(['0', '0.98'], ['5000000', '0.95'], ['20000000', '0.9']) },
  { coin: 'ETH', list: tiers(['0', '0.97'], ['3000000', '0.94'], ['10000000', '0.88']) },
  { coin: 'SOL', list: tiers(['0', '0.92'], ['1000000', '0.85'], ['5000000', '0.7']) },
  { coin: 'USDC', list: tiers(['0', '1']) },
  { coin: 'USDT', list: tiers(['0', '1']) },
  { coin: 'XRP', list: tiers(['0', '0.9'], ['500000', '0.8']) },
];

/** The funding rate of a symbol in units of 10^-6, new every eight hours. */
export function fundingRate(seed: number, symbol: string, now: Millis): number {
  return noise(seed, `funding ${symbol}`).integer(Math.floor(now / (8 * hour)), 221) - 60;
}
