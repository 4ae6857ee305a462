/** Futures orders of the classic account: one by its name, the open ones, the closed ones, cancellation. */
import type { Output } from '../../exchange/api/operations/index.ts';
import type { OrderView, TriggerView } from '../engine/view.ts';
import { Refusal } from '../refusal.ts';
import { isWithin, timeRangeOf } from '../windows.ts';
import type { Context, Handler } from './handler.ts';
import { namedOrder } from './named-order.ts';
import { livedIn, matching } from './order-lists.ts';
import { cursorOf, sizeOf, take } from './pages.ts';

type ClassicOrder = Output<'futures/list-open-orders'>['entrustedList'][number];

const notFound = '40109';

export const getClassicOrder: Handler<'futures/get-order'> = (input, context) => {
  const { status, ...order } = classicOrder(classicNamed(input, context), context);
  return { ...order, state: status };
};

export const cancelClassicOrder: Handler<'futures/cancel-order'> = (input, context) => {
  const order = classicNamed(input, context);
  const { orderId, clientOid } = order;
  const { caller, now, world } = context;
  const coin = world.market(input.productType, input.symbol)?.instrument.marginCoin;
  if (input.marginCoin !== undefined && input.marginCoin.toUpperCase() !== coin) {
    throw new Refusal('40778');
  }
  if (order.status === 'filled' || order.status === 'cancelled') throw new Refusal(notFound);
  world.command({ kind: 'cancel', uid: caller.uid, orderId }, now);
  return { orderId, clientOid };
};

/** The named order, if it is of the symbol and the product line that the request names. */
function classicNamed(
  input: {
    readonly symbol: string;
    readonly productType: string;
    readonly orderId?: string;
    readonly clientOid?: string;
  },
  context: Context,
): OrderView {
  const order = namedOrder(input, context, notFound);
  const isMeant = order.symbol === input.symbol && order.category === input.productType;
  if (!isMeant) throw new Refusal(notFound);
  return order;
}

export const listOpenClassicOrders: Handler<'futures/list-open-orders'> = (input, context) => {
  const name = 'futures/list-open-orders';
  const span = timeRangeOf(name, input, { now: context.now });
  const { orderId, clientOid, status } = input;
  const orders = context.world.engine.openOrders(context.caller.uid, cursorOf(input.idLessThan));
  const isMeant = (order: OrderView): boolean =>
    isWithin(order.createdTime, span) &&
    isNamed(order, { orderId, clientOid }) &&
    (status === undefined || statusOf(order) === status);
  return listed(orders, { name, input, context, isMeant });
};

export const listClosedClassicOrders: Handler<'futures/list-closed-orders'> = (input, context) => {
  const name = 'futures/list-closed-orders';
  const span = timeRangeOf(name, input, { now: context.now });
  const orders = context.world.engine.closedOrders(context.caller.uid, {
    before: cursorOf(input.idLessThan),
    since: span.from,
  });
  const { orderId, clientOid, orderSource } = input;
  const hasLived = livedIn(span);
  const isMeant = (order: OrderView): boolean =>
    hasLived(order) &&
    isNamed(order, { orderId, clientOid }) &&
    (orderSource === undefined || sourceOf(order) === orderSource);
  const { entrustedList, endId } = listed(orders, { name, input, context, isMeant });
  return { entrustedList: entrustedList.map((order) => ({ ...order, posAvg: '' })), endId };
};

function listed(
  orders: Iterable<OrderView>,
  about: {
    readonly name: 'futures/list-open-orders' | 'futures/list-closed-orders';
    readonly input: {
      readonly productType: string;
      readonly symbol?: string;
      readonly limit?: string;
    };
    readonly context: Context;
    readonly isMeant: (order: OrderView) => boolean;
  },
): { readonly entrustedList: readonly ClassicOrder[]; readonly endId: string } {
  const { name, input, context, isMeant } = about;
  const wanted = {
    category: input.productType,
    ...(input.symbol !== undefined && { symbol: input.symbol }),
  };
  const rows = take(matching(orders, wanted, { context, isMeant }), sizeOf(name, input.limit));
  return {
    entrustedList: rows.map((order) => classicOrder(order, context)),
    endId: rows.at(-1)?.orderId ?? '',
  };
}

function isNamed(
  order: OrderView,
  about: { readonly orderId: string | undefined; readonly clientOid: string | undefined },
): boolean {
  const { orderId, clientOid } = about;
  if (orderId !== undefined) return order.orderId === orderId;
  return clientOid === undefined || order.clientOid === clientOid;
}

/** An order in the words of the classic account: a hedge close has the side of its position. */
function classicOrder(order: OrderView, { world, caller }: Context): ClassicOrder {
  const { posSide, side, takeProfit, stopLoss } = order;
  const isHedge = order.holdMode === 'hedge_mode';
  const opensBy = posSide === 'long' ? 'buy' : 'sell';
  const tradeSide = isHedge ? (side === opensBy ? 'open' : 'close') : `${side}_single`;
  const holding = world.engine
    .holdings(caller.uid)
    .find(({ category, symbol }) => category === order.category && symbol === order.symbol);
  return {
    symbol: order.symbol,
    size: order.qty,
    orderId: order.orderId,
    clientOid: order.clientOid,
    baseVolume: order.cumExecQty,
    quoteVolume: order.cumExecValue,
    priceAvg: emptyForZero(order.avgPrice),
    fee: negative(order.fee),
    price: emptyForZero(order.price),
    side: isHedge ? opensBy : side,
    force: order.timeInForce,
    totalProfits: mayHaveClosed(order, tradeSide) ? '' : '0',
    posSide: isHedge ? posSide : 'net',
    marginCoin: holding?.marginCoin ?? order.feeCoin,
    presetStopSurplusPrice: takeProfit?.at ?? '',
    presetStopSurplusExecutePrice: takeProfit?.limit ?? '',
    presetStopSurplusType: triggerOf(takeProfit),
    presetStopLossPrice: stopLoss?.at ?? '',
    presetStopLossExecutePrice: stopLoss?.limit ?? '',
    presetStopLossType: triggerOf(stopLoss),
    orderType: order.orderType,
    leverage: String(holding?.leverage ?? ''),
    marginMode: holding?.marginMode ?? 'crossed',
    reduceOnly: tradeSide === 'close' ? 'YES' : order.reduceOnly,
    enterPointSource: 'API',
    tradeSide,
    posMode: order.holdMode,
    orderSource: sourceOf(order),
    cancelReason: order.status === 'cancelled' ? (order.closeReason ?? '') : '',
    cTime: String(order.createdTime),
    uTime: String(order.updatedTime),
    status: statusOf(order),
  };
}

function statusOf({ status }: OrderView): ClassicOrder['status'] {
  if (status === 'cancelled') return 'canceled'; // the spelling of this family
  return status === 'new' ? 'live' : status;
}

/** The source of an order: `market` for a market order of a client. */
function sourceOf({ executionType, orderType }: OrderView): string {
  return executionType === 'normal' && orderType === 'market' ? 'market' : executionType;
}

/** Whether an order may have closed a part of a position: its profit is not kept. */
function mayHaveClosed({ cumExecQty }: OrderView, tradeSide: string): boolean {
  return tradeSide !== 'open' && emptyForZero(cumExecQty) !== '';
}

/** The price that triggers a preset: the sandbox has one kind. */
function triggerOf(preset: TriggerView | undefined): string {
  return preset === undefined ? '' : 'mark_price';
}

function emptyForZero(text: string): string {
  return /[1-9]/.test(text) ? text : '';
}

/** A fee as this family shows it: what was paid is negative. */
function negative(fee: string): string {
  return /[1-9]/.test(fee) ? `-${fee}` : '0';
}
