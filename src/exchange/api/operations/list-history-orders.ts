/** 3. Orders that are filled or cancelled. */
import { day, second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { historyOrder } from '../resources/order.ts';
import { list, optional, record } from '../schema.ts';
import {
  endTime,
  orderCategory,
  pageSize,
  plainWord,
  startTime,
  symbolName,
} from '../vocabulary.ts';

const size = { initial: 100, maximum: 100 } as const;

export const listHistoryOrders = operation({
  number: 3,
  title: 'Get history orders',
  method: 'GET',
  path: '/api/v3/trade/history-orders',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 20, per: second, of: 'uid' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'createdTime',
    alsoBy: 'updatedTime',
    span: 30 * day,
    lookBack: 90 * day,
    omitted: 'last-span',
    oneSided: 'one-span',
  },
  page: {
    kind: 'cursor',
    parameter: 'cursor',
    size: { field: 'limit', ...size },
    rows: 'list',
    id: ['orderId'],
  },
  input: record({
    category: optional(orderCategory),
    symbol: optional(symbolName),
    startTime: optional(startTime),
    endTime: optional(endTime),
    limit: optional(pageSize(size)),
    cursor: optional(plainWord('The cursor of the previous response; omit it on the first query')),
  }),
  output: record({ list: list(historyOrder), cursor: plainWord('Where the next page begins') }),
  doubts: [
    'which time is filtered on: not shown; the sandbox takes createdTime and updatedTime, so that an order that rested for months is found by the day it ended',
    'omitted times: not shown; the sandbox uses the last 30 days, and a read of all pages sends the 90 days kept',
    'cancelReason: normal_cancel is listed, other mirrors list many more; kept as an open set',
  ],
});
