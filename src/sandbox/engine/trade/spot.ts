/** Spot and margin orders: held coins, and exchanges of coins. */
import type { Money } from '../money.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import type { Fill } from './execution.ts';

/** Holds the requirement of so many more lots of an order; negative releases it. */
export function spotHold(state: State, order: Order, lots: number): void {
  const wallet = payingWallet(state, order);
  wallet.heldOnSpot += spotNeed(order, order.holdTicks) * BigInt(lots);
  wallet.changed();
}

/** The cost of one lot: quote coins for a buyer, base coins for a seller. */
export function spotNeed({ isBuy, market }: Order, ticks: number): Money {
  return isBuy ? market.value(ticks, 1) : market.terms.lotMoney;
}

/** The wallet that pays for an order. */
export function payingWallet(state: State, order: Order): Wallet {
  const { baseCoin, quoteCoin } = order.market.instrument;
  return walletOf(state, order, order.isBuy ? quoteCoin : baseCoin);
}

/** Exchanges base and quote coins; each side pays its fee in the coin it receives. */
export function exchangeCoins(state: State, { taker, maker, lots, ticks }: Fill): void {
  const { market } = taker;
  const value = market.value(ticks, lots);
  const base = BigInt(lots) * market.terms.lotMoney;
  const [buyer, seller] = taker.isBuy ? [taker, maker] : [maker, taker];
  const { baseCoin, quoteCoin } = market.instrument;
  const hand = (from: Order, to: Order, coin: string, amount: Money): void => {
    const sides = { from: walletOf(state, from, coin), to: walletOf(state, to, coin) };
    const { now: at } = state;
    const way = { from: sides.from.ledger, to: sides.to.ledger };
    state.ledger.move(way, amount, 'trade', at);
    const fee = market.fee(amount, to === taker ? 'taker' : 'maker');
    const fees = state.ledger.account('fees', coin);
    state.ledger.move({ from: sides.to.ledger, to: fees }, fee, 'fee', at);
    to.fee += fee;
  };
  hand(seller, buyer, baseCoin, base);
  hand(buyer, seller, quoteCoin, value);
  for (const order of [taker, maker]) order.addValue(value, state.now);
}

function walletOf(state: State, order: Order, coin: string): Wallet {
  const walletType = order.category === 'MARGIN' ? 'MARGIN' : 'SPOT';
  return state.wallet(order.owner, walletType, coin);
}
