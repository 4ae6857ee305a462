/** Futures orders of a classic account that still rest or match. */
import { day, second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { classicOrder } from '../../resources/classic-order.ts';
import { choice, list, optional, record } from '../../schema.ts';
import {
  endTime,
  futuresProductType,
  idText,
  pageSize,
  plainWord,
  startTime,
  symbolName,
} from '../../vocabulary.ts';

const size = { initial: 100, maximum: 100 } as const;

export const listOpenOrders = operation({
  title: 'Get open futures orders',
  method: 'GET',
  path: '/api/v2/mix/order/orders-pending',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'cTime',
    span: 90 * day,
    omitted: 'everything-kept',
    oneSided: 'one-span',
  },
  page: {
    kind: 'older-than',
    parameter: 'idLessThan',
    answer: 'endId',
    size: { field: 'limit', ...size },
    rows: 'entrustedList',
    id: ['orderId'],
  },
  input: record({
    productType: futuresProductType,
    symbol: optional(symbolName),
    orderId: optional(idText('Only this order')),
    clientOid: optional(plainWord('Only the order with this client order id')),
    status: optional(
      choice(['live', 'partially_filled'], { description: 'Only orders with this status' }),
    ),
    idLessThan: optional(idText('Orders older than this id: the endId of the previous response')),
    startTime: optional(startTime),
    endTime: optional(endTime),
    limit: optional(pageSize(size)),
  }),
  output: record({
    entrustedList: list(classicOrder),
    endId: optional(plainWord('Id of the last order')),
  }),
  doubts: [
    'reduceOnly, orderSource and totalProfits: as in futures/get-order',
    'omitted times: not shown; the sandbox returns every open order, and a read of all pages sends none',
    'one time of two: not shown; the sandbox takes three months from it',
    'endId of an empty page: null in samples; the sandbox returns ""',
  ],
});
