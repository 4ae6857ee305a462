/** Orders, positions and triggers: saved and restored with their links. */
import { marketOf } from '../engine.ts';
import { Position } from '../model/holding.ts';
import { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { restore } from '../trade/lifecycle.ts';
import type { SavedGuard, SavedOrder, SavedPosition } from './saved.ts';

export function saveOrder(order: Order): SavedOrder {
  return [
    order.count,
    order.owner.uid,
    order.category,
    order.market.instrument.symbol,
    order.intent,
    order.holdSide,
    order.isBuy,
    order.isMarket,
    order.ticks,
    order.lots,
    order.force,
    order.stpMode,
    order.ownClientOid ?? null,
    order.presets ?? null,
    order.executionType,
    order.holdMode,
    order.marginMode,
    order.at,
    order.remaining,
    order.holdTicks,
    order.status,
    order.closeReason ?? null,
    order.executedValue.toString(),
    order.fee.toString(),
    order.updatedAt,
  ];
}

/** Restores an order; an open one counts and holds as before. Positions must already exist. */
export function restoreOrder(state: State, saved: SavedOrder): void {
  const [
    count,
    uid,
    category,
    symbol,
    intent,
    holdSide,
    isBuy,
    , // whether it is a market order follows from its ticks
    ticks,
    lots,
    force,
    stpMode,
    clientOid,
    presets,
    executionType,
    , // the position mode of its account follows from its intent
    marginMode,
    at,
    remaining,
    holdTicks,
    status,
    closeReason,
    value,
    fee,
    updatedAt,
  ] = saved;
  const owner = state.account(uid);
  const market = state.market(marketOf(category), symbol);
  const order = new Order({
    count,
    owner,
    holding: market.isSpot ? undefined : state.holding(owner, market),
    traits: market.traitsCache.like({
      market,
      category,
      intent,
      holdSide,
      isBuy,
      force,
      stpMode,
      executionType,
      marginMode,
    }),
    ticks,
    lots,
    ownClientOid: clientOid ?? undefined,
    presets: presets ?? undefined,
    at,
  });
  order.remaining = remaining;
  order.holdTicks = holdTicks;
  order.status = status;
  order.closeReason = closeReason ?? undefined;
  order.executedValue = BigInt(value);
  order.fee = BigInt(fee);
  order.updatedAt = updatedAt;
  restore(state, order);
}

export function savePosition(position: Position): SavedPosition {
  const { holding, count, side, openedAt, lots, entryValue, margin } = position;
  const { category, symbol } = holding.market.instrument;
  return {
    count,
    uid: holding.account.uid,
    category,
    symbol,
    side,
    openedAt,
    lots,
    entryValue: entryValue.toString(),
    margin: margin.toString(),
  };
}

export function restorePosition(state: State, saved: SavedPosition): Position {
  const { count, uid, category, symbol, side, openedAt, lots, entryValue, margin } = saved;
  const market = state.market(category, symbol);
  const holding = state.holding(state.account(uid), market);
  const position = new Position({ count, holding, side, openedAt });
  position.lots = lots;
  position.entryValue = BigInt(entryValue);
  position.margin = BigInt(margin);
  holding[side] = position;
  market.positions.add(position);
  if (position.isLong) market.openLots += lots;
  return position;
}

export function saveGuards(position: Position): SavedGuard[] {
  return [...position.guards].map(({ count, orderCount, presets, lots }) => ({
    count,
    orderCount,
    position: position.count,
    presets,
    lots,
  }));
}
