/** Orders and bills in the API's format. */
import type { Millis } from '../../../base/clock.ts';
import { countBefore, countOf, idText } from '../ids.ts';
import type { WalletType } from '../instrument.ts';
import { formatMoney } from '../money.ts';
import type { Bill } from '../model/bill.ts';
import type { Order, Presets, TriggerPrice } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { formatUnits } from '../units.ts';
import { averagePrice } from './average.ts';
import type { BillView, OrderView, TriggerView } from '../view.ts';

export function viewOrder(order: Order): OrderView {
  const { owner, status, market } = order;
  const { instrument } = market;
  const { priceScale, sizeScale, symbol } = instrument;
  return {
    orderId: order.id,
    clientOid: order.clientOid,
    uid: owner.uid,
    category: order.category,
    symbol,
    orderType: order.isMarket ? 'market' : 'limit',
    side: order.isBuy ? 'buy' : 'sell',
    price: order.isMarket ? '0' : formatUnits(order.ticks, priceScale),
    qty: formatUnits(order.lots, sizeScale),
    amount: amountOf(order),
    cumExecQty: formatUnits(order.executedLots, sizeScale),
    cumExecValue: formatMoney(order.executedValue),
    avgPrice: averagePrice(instrument, order.executedValue, order.executedLots),
    timeInForce: order.force,
    status,
    posSide: order.holdMode === 'hedge_mode' ? order.holdSide : '',
    holdMode: order.holdMode,
    stpMode: order.stpMode,
    reduceOnly: order.intent === 'reduce' ? 'YES' : 'NO',
    feeCoin: feeCoinOf(order),
    fee: formatMoney(order.fee),
    ...(order.closeReason !== undefined && { closeReason: order.closeReason }),
    executionType: order.executionType,
    ...(order.presets !== undefined && presetsOf(order.presets, priceScale)),
    createdTime: order.at,
    updatedTime: order.updatedAt,
  };
}

function presetsOf(
  { takeProfit, stopLoss }: Presets,
  priceScale: number,
): Pick<OrderView, 'takeProfit' | 'stopLoss'> {
  return {
    ...(takeProfit !== undefined && { takeProfit: viewTrigger(takeProfit, priceScale) }),
    ...(stopLoss !== undefined && { stopLoss: viewTrigger(stopLoss, priceScale) }),
  };
}

function viewTrigger({ at, limit }: TriggerPrice, priceScale: number): TriggerView {
  return {
    at: formatUnits(at, priceScale),
    ...(limit !== undefined && { limit: formatUnits(limit, priceScale) }),
  };
}

/**
 * The open orders of an account, newest first. An order that closes during the iteration may be
 * included or not, but none is twice.
 */
export function* openOrders(
  state: State,
  uid: string,
  before: string | undefined,
): Generator<OrderView, void, undefined> {
  const below = countBefore('order', before);
  for (const order of state.accounts.get(uid)?.openOrders() ?? []) {
    if (order.count < below) yield viewOrder(order);
  }
}

/**
 * The closed orders of an account, newest first; with a time, those created or closed since then.
 */
export function* closedOrders(
  state: State,
  uid: string,
  { before, since = 0 }: { readonly before?: string | undefined; readonly since?: Millis } = {},
): Generator<OrderView, void, undefined> {
  const account = state.accounts.get(uid);
  if (account === undefined) return;
  const { orders: numbers, longestLife } = account;
  const below = countBefore('order', before);
  for (let at = placeBelow(numbers, below) - 1; at >= 0; at--) {
    const order = state.orders.get(numbers[at] ?? 0);
    if (order === undefined || order.isOpen) continue;
    if (order.at + longestLife < since) return; // all earlier orders are too old as well
    if (order.at >= since || order.updatedAt >= since) yield viewOrder(order);
  }
}

export function findOrder(state: State, orderId: string): OrderView | undefined {
  const count = countOf('order', orderId);
  const order = count === undefined ? undefined : state.orders.get(count);
  return order && viewOrder(order);
}

export function findByClientOid(
  state: State,
  uid: string,
  clientOid: string,
): OrderView | undefined {
  const account = state.accounts.get(uid);
  const named = account?.clientOids.get(clientOid);
  if (named !== undefined) return viewOrder(named);
  const count = countOf('client', clientOid); // an id that the engine generated
  const order = count === undefined ? undefined : state.orders.get(count);
  return order?.owner === account && order?.clientOid === clientOid ? viewOrder(order) : undefined;
}

export function* billsOf(
  state: State,
  { uid, walletType }: { readonly uid: string; readonly walletType: WalletType },
  before: string | undefined,
): Generator<BillView, void, undefined> {
  const numbers = state.accounts.get(uid)?.bills.get(walletType) ?? [];
  const below = countBefore('bill', before);
  for (let at = placeBelow(numbers, below) - 1; at >= 0; at--) {
    const bill = state.bills.read(numbers[at] ?? 0);
    if (bill !== undefined) yield viewBill(bill);
  }
}

function viewBill({ count, symbol, amount, fee, businessType, coin, balance, at }: Bill): BillView {
  return {
    billId: idText('bill', count),
    symbol,
    amount: formatMoney(amount),
    fee: formatMoney(fee),
    businessType,
    coin,
    balance: formatMoney(balance),
    time: at,
  };
}

/** Counts how many of some ascending numbers are below a given one. */
function placeBelow(numbers: readonly number[], below: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? below) < below) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The value of an order: in the quote coin for spot orders; "0" on futures. */
function amountOf({ holding, market, isMarket, ticks, lots, executedValue }: Order): string {
  if (holding !== undefined) return '0';
  return formatMoney(isMarket ? executedValue : market.value(ticks, lots));
}

function feeCoinOf({ holding, market, isBuy }: Order): string {
  const { baseCoin, quoteCoin, marginCoin } = market.instrument;
  if (holding !== undefined) return marginCoin;
  return isBuy ? baseCoin : quoteCoin;
}
