/** Positions: every long has a short, every loss a profit, every held coin a reason. */
import type { Money } from '../money.ts';
import { areDoomed, crossedPositions, isDoomed, isolatedPositions } from '../settle/health.ts';
import { reserveOf } from '../settle/reserve.ts';
import { heldFor, Opening, type Holding, type Position } from '../model/holding.ts';
import type { Market } from '../model/market.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import { spotNeed } from '../trade/spot.ts';

/** Checks that longs and shorts are equal, and that their costs and profits cancel out. */
export function* marketFaults(market: Market): Generator<string, void, undefined> {
  let lots = 0;
  let longLots = 0;
  let entries = 0n;
  for (const position of market.positions) {
    const sign = position.isLong ? 1 : -1;
    lots += sign * position.lots;
    if (position.isLong) longLots += position.lots;
    entries += position.isLong ? position.entryValue : -position.entryValue;
    yield* positionFaults(position);
  }
  const { symbol, category } = market.instrument;
  if (lots !== 0) yield `${symbol}: longs and shorts differ by ${lots}`;
  if (longLots !== market.openLots) yield `${symbol}: open interest is ${longLots}`;
  if (category !== 'COIN-FUTURES' && !market.isSpot && entries + market.clearing.balance !== 0n) {
    yield `${symbol}: profit and loss differ by ${entries + market.clearing.balance}`;
  }
}

function* positionFaults(position: Position): Generator<string, void, undefined> {
  const { holding, side, lots, closers, closerLots, margin } = position;
  const name = `${holding.account.uid} ${holding.market.instrument.symbol} ${side}`;
  if (lots <= 0 || margin < 0n) yield `${name}: is empty`;
  if (holding.position(side) !== position) yield `${name}: is forgotten`;
  if (holding.isOneWay && holding.long !== undefined && holding.short !== undefined) {
    yield `${name}: both sides are open in one-way mode`;
  }
  let sum = 0;
  for (const order of closers) {
    sum += order.remaining;
    if (!order.isOpen || !order.isCloser || order.isBuy === position.isLong) {
      yield `${name}: ${order.id} does not close it`;
    }
  }
  if (sum !== closerLots || sum > lots)
    yield `${name}: ${sum} lots would be closed, it has ${lots}`;
}

/** Checks that the incremental sums equal the sums of the open orders. */
export function* holdingFaults(holding: Holding): Generator<string, void, undefined> {
  const { account, market } = holding;
  const name = `${account.uid} ${market.instrument.symbol}`;
  const sums = { long: new Opening(), short: new Opening() };
  let open = 0;
  for (const order of account.openOrders()) {
    if (order.holding !== holding) continue;
    open++;
    if (order.isCloser) continue;
    const sum = sums[order.holdSide];
    sum.lots += order.remaining;
    sum.points += market.contract.points(order.holdTicks, order.remaining);
  }
  for (const side of ['long', 'short'] as const) {
    const kept = holding.opening(side);
    if (kept.lots !== sums[side].lots || kept.points !== sums[side].points) {
      yield `${name}: opening ${side} is miscounted`;
    }
  }
  if (open !== holding.openOrders) yield `${name}: ${open} orders are open`;
  if (holding.held !== heldFor(holding, sums)) yield `${name}: holds ${holding.held}`;
}

/**
 * Checks that held amounts add up, no account is below maintenance margin, and none owes what the
 * reserve could pay.
 */
export function* healthFaults(state: State, wallet: Wallet): Generator<string, void, undefined> {
  const { account, walletType, coin } = wallet;
  const name = `${account.uid} ${walletType} ${coin}`;
  let held = spotHeld(wallet);
  for (const holding of wallet.holdings) held += holding.held;
  if (held !== wallet.held) yield `${name}: holds ${wallet.held}, not ${held}`;
  if (account.isMaker) return;
  const crossed = crossedPositions(wallet);
  if (isolatedPositions(wallet).some(isDoomed))
    yield `${name}: an isolated position should have been liquidated`;
  if (areDoomed(wallet, crossed)) yield `${name}: crossed positions should have been liquidated`;
  const reserve = reserveOf(state, wallet)?.ledger.balance ?? 0n;
  if (crossed.length === 0 && wallet.balance < 0n && reserve > 0n) yield `${name}: owes money`;
}

function spotHeld({ account, walletType, coin }: Wallet): Money {
  let held = 0n;
  for (const order of account.openOrders()) {
    const { holding, category, market } = order;
    const { quoteCoin, baseCoin } = market.instrument;
    if (holding !== undefined || category !== walletType) continue;
    if ((order.isBuy ? quoteCoin : baseCoin) !== coin) continue;
    held += spotNeed(order, order.holdTicks) * BigInt(order.remaining);
  }
  return held;
}
