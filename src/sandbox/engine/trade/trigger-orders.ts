/** Take-profit and stop-loss prices of an opening order. */
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';

/**
 * Arms the trigger order for the lots that an execution has opened; fills of one order share one
 * trigger order.
 */
export function arm(state: State, order: Order, lots: number): void {
  const { holding, holdSide, presets, count, market } = order;
  const position = holding?.position(holdSide);
  if (presets === undefined || lots === 0 || position === undefined) return;
  state.stirred.add(market);
  for (const guard of position.guards) {
    if (guard.orderCount !== count) continue;
    guard.lots += lots;
    return;
  }
  const guard = ++state.counts.guard;
  market.triggers.add({ count: guard, orderCount: count, position, presets, lots });
}
