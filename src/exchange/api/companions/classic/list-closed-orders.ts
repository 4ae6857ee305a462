/** Filled and canceled futures orders of a classic account. */
import { day, second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { closedClassicOrder } from '../../resources/classic-order.ts';
import { list, optional, record } from '../../schema.ts';
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

export const listClosedOrders = operation({
  title: 'Get closed futures orders',
  method: 'GET',
  path: '/api/v2/mix/order/orders-history',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'cTime',
    alsoBy: 'uTime',
    span: 90 * day,
    lookBack: 90 * day,
    omitted: 'last-span',
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
    orderSource: optional(plainWord('Only orders that this created, such as normal')),
    idLessThan: optional(idText('Orders older than this id: the endId of the previous response')),
    startTime: optional(startTime),
    endTime: optional(endTime),
    limit: optional(pageSize(size)),
  }),
  output: record({
    entrustedList: list(closedClassicOrder),
    endId: optional(plainWord('Id of the last order')),
  }),
  doubts: [
    'which time is filtered on: not shown; the sandbox takes cTime and uTime, so that an order that rested for months is found by the day it ended',
    'the longest range: not shown apart from the 90 days kept; the sandbox accepts all of them',
    'reduceOnly, orderSource and totalProfits: as in futures/get-order',
    'posAvg: the sandbox does not keep it and returns an empty text',
    'endId of an empty page: null in samples; the sandbox returns ""',
  ],
});
