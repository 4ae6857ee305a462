/** Fires take-profits and stop-losses whose mark price was reached. */
import { openOrdersMax } from '../limits.ts';
import type { State } from '../model/state.ts';
import type { Fired, TriggerOrder } from '../model/triggers.ts';
import { enter } from '../trade/enter.ts';
import { makeRoom } from '../trade/lifecycle.ts';
import { closingOrder } from './closing-order.ts';

/** Fires one trigger order of a changed market; returns whether there was one. */
export function fireNext(state: State): boolean {
  for (const market of state.stirred) {
    const { markTicks, deliveryStatus } = market;
    const isQuiet = markTicks === undefined || deliveryStatus === 'delivery_period';
    const fired = isQuiet ? undefined : market.triggers.fired(markTicks, canClose);
    if (fired !== undefined) {
      closeGuarded(state, fired);
      return true;
    }
    state.stirred.delete(market);
  }
  return false;
}

/**
 * Whether a trigger order can close now: a market order needs liquidity, without which the trigger
 * waits for the next price change.
 */
function canClose({ guard: { position }, price }: Fired): boolean {
  const { market } = position.holding;
  return price.limit !== undefined || market.book.bestAgainst(!position.isLong) !== undefined;
}

/**
 * Closes the protected lots like an order of the account, with the lots that are or become
 * available.
 */
function closeGuarded(state: State, { guard, price }: Fired): void {
  const { market, account } = guard.position.holding;
  const { category, symbol } = market.instrument;
  market.triggers.remove(guard);
  const lots = roomFor(state, guard);
  state.note({ kind: 'trigger', at: state.now, uid: account.uid, category, symbol });
  const force = account.openFutures >= openOrdersMax ? 'ioc' : 'gtc';
  const limit = price.limit === undefined ? {} : { limit: { ticks: price.limit, force } as const };
  enter(state, closingOrder(state, guard.position, { lots, executionType: 'normal', ...limit }));
}

/**
 * Makes lots available: free lots first; if resting orders hold all of them, the oldest are
 * canceled (rules 2 to 4).
 */
function roomFor(state: State, { position, lots }: TriggerOrder): number {
  const wanted = Math.min(lots, position.lots);
  const { isOneWay } = position.holding;
  if (!isOneWay && position.freeLots > 0) return Math.min(wanted, position.freeLots);
  const reason = isOneWay ? 'reduce_only_cancel' : 'give_way_cancel';
  makeRoom(state, position, { lots: wanted, reason });
  return wanted;
}
