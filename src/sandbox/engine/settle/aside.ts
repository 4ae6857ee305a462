/** Orders that the exchange creates for an account, executed outside the book: no counterparty, no fee. */
import type { ExecutionType } from '../event.ts';
import type { Holding, Position } from '../model/holding.ts';
import type { Order } from '../model/order.ts';
import type { Execution } from '../model/position.ts';
import type { State } from '../model/state.ts';
import { executeFutures, settlePositions } from '../trade/fill.ts';
import { accept, close, open, release } from '../trade/lifecycle.ts';
import { formatUnits } from '../units.ts';
import { closingOrder } from './closing-order.ts';

/**
 * Nets the smaller of two opposite positions of one account against the larger, at the mark price.
 */
export function offsetAtMark(state: State, holding: Holding): void {
  const { long, short, market } = holding;
  if (long === undefined || short === undefined) return;
  const lots = Math.min(long.lots, short.lots);
  const ticks = market.markTicks ?? 1;
  for (const position of [long, short]) {
    report(state, closeAside(state, position, { lots, ticks, executionType: 'offset' }), 'offset');
  }
}

/** Closes lots of a position at a price, as one filled order. */
export function closeAside(
  state: State,
  position: Position,
  execution: Execution & { readonly executionType: ExecutionType },
): Order {
  const order = closingOrder(state, position, execution);
  accept(state, order);
  open(state, order);
  executeAside(state, order, execution);
  close(state, order, 'filled');
  return order;
}

/** Executes an open order outside the book, without a fee. */
export function executeAside(state: State, order: Order, execution: Execution): void {
  const { lots } = execution;
  order.remaining -= lots;
  release(state, order, lots);
  executeFutures(state, order, execution, 'free');
  settlePositions(state, order);
}

/** Reports that a position was closed by the exchange. */
export function report(
  state: State,
  order: Order,
  executionType: 'offset' | 'reduce' | 'liquidation',
): void {
  const { category, symbol, sizeScale } = order.market.instrument;
  state.note({
    kind: 'liquidation',
    at: state.now,
    uid: order.owner.uid,
    executionType,
    category,
    symbol,
    size: formatUnits(order.executedLots, sizeScale),
  });
}
