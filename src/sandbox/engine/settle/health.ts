/** Whether the margin still covers positions: equity against maintenance margin and closing fees. */
import { partOf, type Money } from '../money.ts';
import type { Position } from '../model/holding.ts';
import type { Market } from '../model/market.ts';
import type { Wallet } from '../model/wallet.ts';
import { profitAtMark } from '../trade/funds.ts';
import { clearlyWell } from '../trade/rough.ts';

/** The minimum value of a position to avoid liquidation, at a mark price. */
export function maintenance({ lots, holding: { market } }: Position, mark: number): Money {
  const notional = market.contract.notional(mark, lots);
  const tier = market.terms.tiers[tierOf(market, lots, mark)];
  const margin = tier === undefined ? 0n : partOf(notional, tier.rate, 'ceil');
  return margin + market.fee(notional, 'taker');
}

/** The tier of a position of so many lots, from 0. */
export function tierOf(market: Market, lots: number, mark: number): number {
  const value = market.value(mark, lots);
  const { tiers } = market.terms;
  let place = 0;
  while (place + 1 < tiers.length && (tiers[place + 1]?.from ?? 0n) <= value) place++;
  return place;
}

/** Whether the exchange may liquidate a position now: not without a mark price, not in delivery. */
function isForcible({ holding: { market } }: Position): boolean {
  return market.markTicks !== undefined && market.deliveryStatus !== 'delivery_period';
}

/** Whether an isolated position must be liquidated. */
export function isDoomed(position: Position): boolean {
  const mark = position.holding.market.markTicks;
  if (mark === undefined || !isForcible(position)) return false;
  return position.margin + profitAtMark(position) <= maintenance(position, mark);
}

/** Whether a wallet certainly needs no action: the common case, decided without a list. */
export function isWell(wallet: Wallet): boolean {
  if (clearlyWell(wallet)) return true;
  let equity = wallet.balance;
  let need = 0n;
  for (const { marginMode, long, short } of wallet.holdings) {
    for (let position = long ?? short; position !== undefined;) {
      const mark = position.holding.market.markTicks;
      if (marginMode === 'isolated') {
        if (isDoomed(position)) return false;
        equity -= position.margin;
      } else if (mark !== undefined) {
        equity += profitAtMark(position);
        need += maintenance(position, mark);
      }
      position = position === long ? short : undefined;
    }
  }
  return wallet.balance >= 0n && (need === 0n || equity > need);
}

/** Positions that share a wallet's equity, in opening order. */
export function crossedPositions(wallet: Wallet): Position[] {
  return wallet.holdings
    .filter(({ marginMode }) => marginMode === 'crossed')
    .flatMap((holding) => holding.positions())
    .sort((a, b) => a.count - b.count);
}

/** Positions with isolated margin, in opening order. */
export function isolatedPositions(wallet: Wallet): Position[] {
  return wallet.holdings
    .filter(({ marginMode }) => marginMode === 'isolated')
    .flatMap((holding) => holding.positions())
    .sort((a, b) => a.count - b.count);
}

/** The equity of a wallet's crossed positions: the balance minus isolated margin. */
export function crossedEquity(wallet: Wallet, crossed: readonly Position[]): Money {
  let equity = wallet.balance;
  for (const { margin } of isolatedPositions(wallet)) equity -= margin;
  for (const position of crossed) equity += profitAtMark(position);
  return equity;
}

/** Whether the crossed positions of a wallet must be liquidated. */
export function areDoomed(wallet: Wallet, crossed: readonly Position[]): boolean {
  if (crossed.length === 0 || !crossed.every(isForcible)) return false;
  let need = 0n;
  for (const position of crossed) {
    need += maintenance(position, position.holding.market.markTicks ?? 0);
  }
  return crossedEquity(wallet, crossed) <= need;
}
