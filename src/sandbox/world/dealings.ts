/** What an account that trades here brings into its agent's reports. */
import type { Millis } from '../../base/clock.ts';
import { decimal, decimalText, roundTo, zero, type Decimal } from '../../base/decimal.ts';
import { demoLines } from '../../contract/vocabulary.ts';
import type { Referral } from './added.ts';
import { lastRefresh } from './customers.ts';
import { add, scaled } from './digits.ts';
import { keyOf } from './markets.ts';
import type { World } from './world.ts';

/** What was told of a customer, and what the account of the same uid did up to the last refresh. */
export function withDealings(world: World, referral: Referral, now: Millis): Referral {
  const { uid, balance, volumes } = referral;
  if (world.engine.account(uid) === undefined) return referral;
  return {
    ...referral,
    balance: add(balance, heldBy(world, uid, lastRefresh(now))),
    volumes: [...volumes, ...tradedBy(world, uid)],
  };
}

/** Spot and futures alike; an order counts from its last change on. */
function* tradedBy({ engine }: World, uid: string): Generator<Referral['volumes'][number]> {
  for (const orders of [engine.closedOrders(uid), engine.openOrders(uid)]) {
    for (const { cumExecValue, updatedTime } of orders) {
      if (cumExecValue !== '0') yield { time: updatedTime, volumn: cumExecValue };
    }
  }
}

/** All wallets but those of demo lines, in USDT: as they stand, less what moved since. */
function heldBy({ engine, markets }: World, uid: string, at: Millis): string {
  const held = new Map<string, Decimal>();
  const gain = (coin: string, amount: Decimal): void => {
    held.set(coin, (held.get(coin) ?? zero).plus(amount));
  };
  const isOurs = (name: string): boolean =>
    name.startsWith(`wallet:${uid}:`) && !demoLines.some((line) => name.endsWith(`:${line}`));
  for (const { purse, coin, balance } of engine.wallets(uid)) {
    if (isOurs(`wallet:${uid}:${purse}`)) gain(coin, decimal(balance));
  }
  for (const { from, to, coin, amount, time } of engine.transfers()) {
    if (time <= at) break;
    if (isOurs(to)) gain(coin, decimal(amount).neg());
    if (isOurs(from)) gain(coin, decimal(amount));
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
