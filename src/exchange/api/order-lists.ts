/** The lists of orders of the interface, endpoints 2 and 3, as lookups read them. */
import type { OrderLists, OrderRowFields } from './keyed-write.ts';

const row: OrderRowFields = {
  id: 'orderId',
  key: 'clientOid',
  symbol: 'symbol',
  side: 'side',
  price: 'price',
  size: 'qty',
  amount: 'amount',
  filled: 'cumExecQty',
  created: 'createdTime',
  reason: 'cancelReason',
  status: {
    field: 'orderStatus',
    partlyFilled: ['partially_filled'],
    filled: ['filled'],
    cancelled: ['cancelled', 'canceled'], // the second is the spelling of the other account family
  },
};

export const orderLists: OrderLists = {
  open: { operation: 'order/list-open', line: 'category', row },
  closed: { operation: 'order/list-history', line: 'category', row },
};
