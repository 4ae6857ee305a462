/** Endpoints 2 and 3: an account's open orders, and its filled or canceled ones. */
import type { Millis } from '../../base/clock.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import type { OrderView } from '../engine/view.ts';
import { anyTimeRangeOf, isWithin, timeRangeOf, type TimeRange } from '../windows.ts';
import type { Context, Handler } from './handler.ts';
import { cursorOf, sizeOf, take } from './pages.ts';

type OpenOrder = Output<'order/list-open'>['list'][number];
type ClosedOrder = Output<'order/list-history'>['list'][number];

/** The restrictions of a list of orders. */
interface Wanted {
  readonly category?: string;
  readonly symbol?: string;
}

export const listOpenOrders: Handler<'order/list-open'> = (input, context) => {
  const { engine } = context.world;
  const span = anyTimeRangeOf(input);
  const orders = engine.openOrders(context.caller.uid, cursorOf(input.cursor));
  const rows = take(
    matching(orders, input, { context, isMeant: ({ createdTime }) => isWithin(createdTime, span) }),
    sizeOf('order/list-open', input.limit),
  );
  return { list: rows.map(openOrder), cursor: rows.at(-1)?.orderId ?? '' };
};

export const listHistoryOrders: Handler<'order/list-history'> = (input, context) => {
  const span = timeRangeOf('order/list-history', input, { now: context.now });
  const { engine } = context.world;
  const before = cursorOf(input.cursor);
  const orders = engine.closedOrders(context.caller.uid, { before, since: span.from });
  const size = sizeOf('order/list-history', input.limit);
  const rows = take(matching(orders, input, { context, isMeant: livedIn(span) }), size);
  return { list: rows.map(closedOrder), cursor: rows.at(-1)?.orderId ?? '' };
};

export function* matching(
  orders: Iterable<OrderView>,
  { category, symbol }: Wanted,
  { context, isMeant }: { context: Context; isMeant: (order: OrderView) => boolean },
): Iterable<OrderView> {
  const visibleUntil: Millis = context.now - context.lagMs;
  for (const order of orders) {
    if (!isMeant(order)) continue;
    if (category !== undefined && order.category !== category) continue;
    if (symbol !== undefined && order.symbol !== symbol) continue;
    if (context.lagMs > 0 && order.updatedTime > visibleUntil) continue;
    yield order;
  }
}

/**
 * Whether an order was created or closed in a range: one that rested for months is found on the day
 * it ended.
 */
export function livedIn(span: TimeRange): (order: OrderView) => boolean {
  return ({ createdTime, updatedTime }) =>
    isWithin(createdTime, span) || isWithin(updatedTime, span);
}

export function openOrder(order: OrderView): OpenOrder {
  const isSpot = order.category === 'SPOT' || order.category === 'MARGIN';
  return {
    orderId: order.orderId,
    clientOid: order.clientOid,
    category: order.category,
    symbol: order.symbol,
    orderType: order.orderType,
    side: order.side,
    price: order.price,
    qty: order.qty,
    amount: order.amount,
    cumExecQty: order.cumExecQty,
    cumExecValue: order.cumExecValue,
    avgPrice: order.avgPrice,
    timeInForce: order.timeInForce,
    orderStatus: order.status,
    posSide: isSpot ? '' : order.posSide,
    holdMode: order.holdMode,
    stpMode: order.stpMode,
    reduceOnly: order.reduceOnly,
    // No fee is charged before the first fill.
    feeDetail: [isFilledAtAll(order) ? feeOf(order) : { feeCoin: null, fee: null }],
    createdTime: String(order.createdTime),
    updatedTime: String(order.updatedTime),
  };
}

function feeOf({ feeCoin, fee }: OrderView) {
  return { feeCoin, fee };
}

function isFilledAtAll({ cumExecQty }: OrderView): boolean {
  return /[1-9]/.test(cumExecQty);
}

function closedOrder(order: OrderView): ClosedOrder {
  // Added to the row: a copy of so many fields would cost more than the rest.
  return Object.assign(openOrder(order), {
    feeDetail: [feeOf(order)], // only an open order may omit it
    // The interface has one reason; the control interface reports the exact one.
    cancelReason: order.status === 'cancelled' ? 'normal_cancel' : '',
    execType: order.executionType,
  });
}
