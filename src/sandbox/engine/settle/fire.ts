/** Take-profits and stop-losses whose mark price has come close what they protect. */
import { openOrdersMax } from '../limits.ts';
import type { State } from '../model/state.ts';
import type { Fired, TriggerOrder } from '../model/triggers.ts';
import { enter } from '../trade/enter.ts';
import { makeRoom } from '../trade/lifecycle.ts';
import { closingOrder } from './closing-order.ts';

/** Sets off one guard of a market that has moved; says whether there was one. */
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

/** At the market someone must be there to take it; otherwise the guard waits for the next move. */
function canClose({ guard: { position }, price }: Fired): boolean {
  const { market } = position.holding;
  return price.limit !== undefined || market.book.bestAgainst(!position.isLong) !== undefined;
}

/** Closes like an order of the account itself would, with the room it finds or makes. */
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

/** Free lots first; when resting orders hold all of them, the oldest give way (rules 2 to 4). */
function roomFor(state: State, { position, lots }: TriggerOrder): number {
  const wanted = Math.min(lots, position.lots);
  const { isOneWay } = position.holding;
  if (!isOneWay && position.freeLots > 0) return Math.min(wanted, position.freeLots);
  const reason = isOneWay ? 'reduce_only_cancel' : 'give_way_cancel';
  makeRoom(state, position, { lots: wanted, reason });
  return wanted;
}
