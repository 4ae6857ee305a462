/** Auto-deleveraging: when book and reserve do not suffice, the most profitable positions are closed. */
import { one } from '../money.ts';
import type { Position } from '../model/holding.ts';
import type { HoldSide } from '../model/order-traits.ts';
import type { Market } from '../model/market.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { profitAtMark } from '../trade/funds.ts';
import { formatUnits } from '../units.ts';
import { closeAside, executeAside } from './aside.ts';

interface Takeover {
  /** The order whose remaining lots are taken over. */
  readonly order: Order;
  readonly position: Position;
  readonly ticks: number;
}

/** Closes the rest of an order against the other side's queue at one price, without fees. */
export function deleverage(state: State, { order, position, ticks }: Takeover): void {
  const { market } = position.holding;
  for (const other of queue(market, position.isLong ? 'short' : 'long')) {
    if (order.remaining === 0) return;
    const lots = Math.min(order.remaining, other.lots);
    executeAside(state, order, { lots, ticks });
    const taken = closeAside(state, other, { lots, ticks, executionType: 'reduce' });
    const { category, symbol, priceScale, sizeScale } = market.instrument;
    state.note({
      kind: 'deleveraging',
      at: state.now,
      uid: taken.owner.uid,
      category,
      symbol,
      price: formatUnits(ticks, priceScale),
      size: formatUnits(lots, sizeScale),
    });
  }
}

/** The positions of a side, in closing order. */
export function queue(market: Market, side: HoldSide): Position[] {
  return [...market.positions]
    .filter((position) => position.side === side)
    .map((position) => ({ position, score: scoreOf(position) }))
    .sort((a, b) =>
      a.score === b.score ? a.position.count - b.position.count : a.score > b.score ? -1 : 1,
    )
    .map(({ position }) => position);
}

/** The return on a position's margin times its leverage, in units of 10^-12. */
function scoreOf(position: Position): bigint {
  const margin = position.margin > 0n ? position.margin : 1n;
  return (profitAtMark(position) * BigInt(position.holding.leverage) * one) / margin;
}
