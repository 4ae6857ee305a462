/** 4. The trade volume of an agent's referred customers, day by day. A POST that only reads. */
import { day, second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { customerVolume } from '../resources/customer.ts';
import { list, optional, record } from '../schema.ts';
import { endTime, idText, pageNumber, pageSize, startTime } from '../vocabulary.ts';

const size = { initial: 100, maximum: 1000 } as const;

export const listTradeVolume = operation({
  number: 4,
  title: 'Get agent customer trade volume list',
  method: 'POST',
  path: '/api/broker/v1/agent/customerTradeVolumnList',
  access: 'signed',
  permission: 'agent',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'time',
    span: 30 * day,
    lookBack: 90 * day,
    omitted: 'previous-day-utc8',
    oneSided: 'refused',
  },
  page: {
    kind: 'number',
    parameter: 'pageNo',
    size: { field: 'pageSize', ...size },
    id: ['uid', 'time'],
  },
  input: record({
    startTime: optional(startTime),
    endTime: optional(endTime),
    pageNo: optional(pageNumber),
    pageSize: optional(pageSize(size)),
    uid: optional(idText('Only this customer')),
  }),
  output: list(customerVolume),
  doubts: [
    'order of the rows: not shown; the sandbox returns newest day first, then by uid',
    'data refreshes every 10 minutes: the newest trades may be missing',
    'one bound alone is refused: a read of all pages sends both, from startTime or the oldest day kept to endTime or now; without times it reads the previous day in UTC+8, as the interface does',
  ],
});
