/** 13. Public trades of a futures symbol. */
import { day, second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { fill } from '../resources/fill.ts';
import { list, optional, record } from '../schema.ts';
import {
  endTime,
  futuresLineOrDemo,
  idText,
  pageSize,
  startTime,
  symbolName,
} from '../vocabulary.ts';

const size = { initial: 500, maximum: 1000 } as const;

export const listFills = operation({
  number: 13,
  title: 'Get futures trade history',
  method: 'GET',
  path: '/api/v2/mix/market/fills-history',
  access: 'public',
  limit: { permits: 10, per: second, of: 'ip' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'ts',
    span: 7 * day,
    lookBack: 90 * day,
    omitted: 'last-span',
    oneSided: 'one-span',
  },
  page: {
    kind: 'older-than',
    fallsById: true,
    parameter: 'idLessThan',
    size: { field: 'limit', ...size },
    id: ['tradeId', 'ts', 'price', 'size', 'side'],
  },
  input: record({
    symbol: symbolName,
    productType: futuresLineOrDemo,
    limit: optional(pageSize(size)),
    idLessThan: optional(idText('Trades older than this id')),
    startTime: optional(startTime),
    endTime: optional(endTime),
  }),
  output: list(fill),
  doubts: [
    'the response has no endId although idLessThan names one: a full page is read again in shorter time ranges, and the last tradeId is used only within one millisecond',
    'omitted times: not shown; the sandbox uses the last week, and a read of all pages sends the 90 days kept',
  ],
});
