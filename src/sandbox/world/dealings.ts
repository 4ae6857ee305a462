/** The contribution of a trading account to its agent's reports. */
import type { Millis } from '../../base/clock.ts';
import { decimal, decimalText, roundTo, zero, type Decimal } from '../../base/decimal.ts';
import { demoProductTypes } from '../../exchange/api/vocabulary.ts';
import type { Referral } from './added.ts';
import { lastRefresh } from '../engine/model/reporting.ts';
import { add, scaled } from './digits.ts';
import { keyOf } from './markets.ts';
import type { World } from './world.ts';

/**
 * The data of a generated customer, and of the account with the same uid up to the last refresh.
 */
export function withDealings(world: World, referral: Referral, now: Millis): Referral {
  const { uid, balance, volumes } = referral;
  if (world.engine.account(uid) === undefined) return referral;
  return {
    ...referral,
    balance: add(balance, heldBy(world, uid, lastRefresh(now))),
    volumes: [...volumes, ...tradedBy(world, uid)],
  };
}

/** The value an account traded on spot and futures; each fill counts once, at its own time. */
function* tradedBy({ engine }: World, uid: string): Generator<Referral['volumes'][number]> {
  for (const { until, value } of engine.tradedValues(uid)) yield { time: until, volumn: value };
}

/** The value in USDT of all wallets except those of demo product types, at the last refresh. */
function heldBy({ engine, markets }: World, uid: string, at: Millis): string {
  const held = new Map<string, Decimal>();
  for (const { walletType, coin, balance } of engine.reportedBalances(uid, at)) {
    if (demoProductTypes.some((productType) => productType === walletType)) continue;
    held.set(coin, (held.get(coin) ?? zero).plus(decimal(balance)));
  }
  let sum = zero;
  for (const [coin, amount] of held) sum = sum.plus(amount.times(priceOf(coin)));
  return decimalText(roundTo(sum, 2, 'down'));

  function priceOf(coin: string): Decimal {
    if (dollars.has(coin)) return decimal('1');
    const market = markets.get(keyOf('SPOT', `${coin}USDT`));
    return market === undefined
      ? zero
      : decimal(scaled(market.ticksAt(at), market.instrument.priceScale));
  }
}

const dollars: ReadonlySet<string> = new Set(['USDT', 'USDC']);
