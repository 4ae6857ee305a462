/** Cancels one order of a unified account. A success means that the request was accepted. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { orderLists, orderRow } from '../../order-lists.ts';
import { optional, record } from '../../schema.ts';
import { idText, orderCategory, plainWord } from '../../vocabulary.ts';
import { namedOrder, orderNames } from '../order-names.ts';

export const cancelOrder = operation({
  title: 'Cancel order of a unified account',
  method: 'POST',
  path: '/api/v3/trade/cancel-order',
  access: 'signed',
  permission: 'trade-write',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'set',
  ends: {
    operation: 'trade/get-order',
    input: { orderId: 'orderId', clientOid: 'clientOid' },
    unknown: ['25204'],
    row: orderRow,
    listed: { lists: orderLists, line: 'category', id: 'orderId', key: 'clientOid' },
  },
  requiredWhen: namedOrder,
  input: record({ category: optional(orderCategory), ...orderNames }),
  output: record({
    orderId: optional(idText('Order id')),
    clientOid: optional(plainWord('Client order id')),
  }),
  doubts: [
    'a success means accepted, not canceled: the order is read afterwards',
    'the refusal of an order that is filled or canceled: not shown; the sandbox returns 25204',
  ],
});
