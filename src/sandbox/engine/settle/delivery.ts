/** A delivery symbol's phases: configured, trading, closing only, in delivery, settled. */
import { minute, type Millis } from '../../../base/clock.ts';
import type { DeliveryStatus } from '../instrument.ts';
import type { Market } from '../model/market.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { close } from '../trade/lifecycle.ts';
import { formatUnits } from '../units.ts';
import { closeAside } from './aside.ts';

const closingOnly = 10 * minute; // interface, deliveryStatus
const settlementDelay = minute;

/** The phase of a symbol at a time, and when the next one starts. */
function phaseAt(market: Market, now: Millis): { status: DeliveryStatus; until?: Millis } {
  const { delivery } = market.instrument;
  if (delivery === undefined) return { status: '' };
  const { startTime, time } = delivery;
  if (now < startTime) return { status: 'delivery_config_period', until: startTime };
  if (now < time - closingOnly) return { status: 'delivery_normal', until: time - closingOnly };
  if (now < time) return { status: 'delivery_before', until: time };
  const settledAt = time + settlementDelay;
  if (now < settledAt) return { status: 'delivery_period', until: settledAt };
  return { status: 'delivery_period' };
}

/** Moves a symbol to the current phase of its schedule. */
export function enterPhase(state: State, market: Market): void {
  const { status, until } = phaseAt(market, state.now);
  setPhase(state, market, status);
  market.nextPhase = until;
  if (status === 'delivery_period' && until === undefined) deliver(state, market);
}

/**
 * Sets a phase. Liquidations that were not possible in delivery follow after it; when positions can
 * only be closed, resting orders that would open are canceled.
 */
export function setPhase(state: State, market: Market, status: DeliveryStatus): void {
  market.deliveryStatus = status;
  if (status !== 'delivery_period') state.stir(market);
  if (status !== 'delivery_before') return;
  cancelResting(state, market, ({ owner, isCloser }) => !isCloser && !owner.isMaker);
}

/** Cancels every order and settles every position at the index price, without a fee. */
export function deliver(state: State, market: Market): void {
  const ticks = market.indexTicks ?? market.markTicks ?? market.lastTicks;
  if (ticks === undefined || market.isSpot) return;
  cancelResting(state, market, () => true);
  for (const position of market.positions) {
    closeAside(state, position, { lots: position.lots, ticks, executionType: 'delivery' });
  }
  const { category, symbol, priceScale } = market.instrument;
  const price = formatUnits(ticks, priceScale);
  state.note({ kind: 'delivery', at: state.now, category, symbol, price });
}

function cancelResting(state: State, market: Market, isMeant: (order: Order) => boolean): void {
  const { book } = market;
  const found = state.arrivals
    .map(({ order }) => order)
    .filter((order) => order.isOpen && order.market === market);
  for (const side of [book.bidLevels(), book.askLevels()]) {
    for (const level of side) {
      for (let order = level.first; order !== undefined; order = order.behind) found.push(order);
    }
  }
  for (const order of found) {
    if (order.isOpen && isMeant(order)) close(state, order, 'delivery_cancel');
  }
}
