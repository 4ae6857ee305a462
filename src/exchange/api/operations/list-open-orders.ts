/** 2. Orders that still rest or match. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { openOrder } from '../resources/order.ts';
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

export const listOpenOrders = operation({
  number: 2,
  title: 'Get open orders',
  method: 'GET',
  path: '/api/v3/trade/unfilled-orders',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 20, per: second, of: 'uid' },
  effect: 'read',
  page: {
    kind: 'cursor',
    unnamed: 'smallest-id',
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
  output: record({ list: list(openOrder), cursor: plainWord('Where the next page begins') }),
  doubts: [
    'the cursor: one description calls it the smallest orderId of the page; the server’s own is sent back unchanged, and where a full page names none the smallest id asks for what may follow',
    'category omitted: not shown; the sandbox uses every category',
    'the cursor of an empty page: not shown; the sandbox returns ""',
  ],
});
