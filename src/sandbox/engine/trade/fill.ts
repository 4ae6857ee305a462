/** One execution: reduces two orders, changes two positions, and creates ledger entries and bills. */
import type { BusinessType } from '../command.ts';
import type { Position } from '../model/holding.ts';
import { decrease, finish, increase, positionAgainst, type Execution } from '../model/position.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { cancelOpeners } from './closing-only.ts';
import { arm } from './trigger-orders.ts';
import { close, makeRoom, release } from './lifecycle.ts';
import { settleProfit } from './post.ts';
import { exchangeCoins } from './spot.ts';
import type { Fill } from './execution.ts';

/** Books a trade on the public market. */
export function fill(state: State, trade: Fill): void {
  const { taker, maker, lots } = trade;
  release(state, taker, lots);
  release(state, maker, lots);
  mark(state, maker);
  mark(state, taker);
  print(state, trade);
  if (taker.holding === undefined) {
    exchangeCoins(state, trade);
  } else {
    executeFutures(state, taker, trade, 'taker');
    executeFutures(state, maker, trade, 'maker');
    settlePositions(state, taker);
    settlePositions(state, maker);
  }
  if (maker.remaining === 0) close(state, maker, 'filled');
}

/** The fee role of each side; `free` pays no fee. */
type Role = 'maker' | 'taker' | 'free';

/** Applies an execution to one order's position and its account's money. */
export function executeFutures(state: State, order: Order, execution: Execution, role: Role): void {
  const { market } = order;
  const { lots, ticks } = execution;
  const points = market.contract.allPoints(ticks, lots);
  const fee = role === 'free' ? 0n : market.feeOf(points, role);
  order.addValue(market.value(ticks, lots), state.now);
  order.fee += fee;
  const against = positionAgainst(order);
  const closed = against === undefined ? 0 : Math.min(lots, against.lots);
  const opened = order.isCloser ? 0 : lots - closed;
  const profit =
    against === undefined || closed === 0 ? 0n : decrease(against, part(execution, closed));
  if (opened > 0) increase(state, order, part(execution, opened));
  settleProfit(state, order, { profit, fee, businessType: businessTypeOf(order) });
  arm(state, order, opened);
}

/** A part of an execution with fewer lots. */
function part(execution: Execution, lots: number): Execution {
  return lots === execution.lots ? execution : { lots, ticks: execution.ticks };
}

/** Reduces closing orders to the size of the position, removes empty positions, updates margin. */
export function settlePositions(state: State, { holding }: Order): void {
  if (holding === undefined) return;
  trim(state, holding.long);
  trim(state, holding.short);
  cancelOpeners(state, holding);
  finish(holding);
  if (!holding.account.isMaker) state.touch(holding.wallet);
}

function trim(state: State, position: Position | undefined): void {
  if (position === undefined || position.closerLots <= position.lots) return;
  makeRoom(state, position, { lots: 0, reason: 'reduce_only_cancel' });
}

function mark(state: State, order: Order): void {
  order.updatedAt = state.now;
  if (order.remaining > 0) order.status = 'partially_filled';
}

function print(state: State, fill: Fill): void {
  const { taker, lots, ticks } = fill;
  const { market, isBuy } = taker;
  const count = ++state.counts.trade;
  market.lastTicks = ticks;
  market.tape.print({ count, ticks, lots, isBuy, at: state.now });
  state.note({ kind: 'traded', at: state.now, count, fill });
}

function businessTypeOf(order: Order): BusinessType {
  const { executionType, holdMode, intent, holdSide, isBuy } = order;
  const isHedge = holdMode === 'hedge_mode';
  switch (executionType) {
    case 'delivery':
      return holdSide === 'long' ? 'delivery_long' : 'delivery_short';
    case 'liquidation':
      if (isHedge) return holdSide === 'long' ? 'burst_long_loss_query' : 'burst_short_loss_query';
      return isBuy ? 'burst_buy' : 'burst_sell';
    case 'offset':
    case 'reduce':
      if (isHedge) return holdSide === 'long' ? 'force_close_long' : 'force_close_short';
      return isBuy ? 'force_buy' : 'force_sell';
    case 'normal':
      if (!isHedge) return isBuy ? 'buy' : 'sell';
      return `${intent === 'open' ? 'open' : 'close'}_${holdSide}`;
  }
}
