/** Rows of orders, and the lists of the interface that show them, as lookups read them. */
import type { OrderLists, OrderRowFields } from './keyed-write.ts';

export const orderRow: OrderRowFields = {
  id: 'orderId',
  key: 'clientOid',
  symbol: 'symbol',
  side: 'side',
  price: 'price',
  size: 'qty',
  filled: 'cumExecQty',
  created: 'createdTime',
  reason: 'cancelReason',
  status: {
    fields: ['orderStatus'],
    partlyFilled: ['partially_filled'],
    filled: ['filled'],
    cancelled: ['cancelled', 'canceled'], // the second is the spelling of the other account family
  },
};

/** Endpoints 2 and 3. */
export const orderLists: OrderLists = {
  open: { operation: 'order/list-open', line: 'category', row: orderRow },
  closed: { operation: 'order/list-history', line: 'category', row: orderRow },
};

/** An order of a classic account in its lookup. */
export const classicOrderRow: OrderRowFields = {
  id: 'orderId',
  key: 'clientOid',
  symbol: 'symbol',
  side: 'side',
  price: 'price',
  size: 'size',
  filled: 'baseVolume',
  created: 'cTime',
  direction: 'tradeSide',
  reason: 'cancelReason',
  status: {
    fields: ['status', 'state'],
    partlyFilled: ['partially_filled'],
    filled: ['filled'],
    cancelled: ['canceled', 'cancelled'],
  },
};

/** The lists of a classic account. */
export const classicOrderLists: OrderLists = {
  name: 'classic',
  open: { operation: 'futures/list-open-orders', line: 'productType', row: classicOrderRow },
  closed: { operation: 'futures/list-closed-orders', line: 'productType', row: classicOrderRow },
};
