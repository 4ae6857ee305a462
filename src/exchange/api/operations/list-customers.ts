/** 5. An agent's referred customers. A POST that only reads. */
import { day, second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { customer } from '../resources/customer.ts';
import { list, optional, record, text } from '../schema.ts';
import { endTime, idText, pageNumber, pageSize, startTime } from '../vocabulary.ts';

const size = { initial: 100, maximum: 1000 } as const;

export const listCustomers = operation({
  number: 5,
  title: 'Get agent customer list',
  method: 'POST',
  path: '/api/broker/v1/agent/customerList',
  access: 'signed',
  permission: 'agent',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'registerTime',
    span: 30 * day,
    lookBack: 30 * day,
    omitted: 'previous-day-utc8',
    oneSided: 'refused',
  },
  page: { kind: 'number', parameter: 'pageNo', size: { field: 'pageSize', ...size }, id: ['uid'] },
  input: record({
    startTime: optional(startTime),
    endTime: optional(endTime),
    pageNo: optional(pageNumber),
    pageSize: optional(pageSize(size)),
    uid: optional(idText('Checks whether this user is a referred customer')),
    referralCode: optional(text({ maxLength: 64, description: 'Only customers of this code' })),
  }),
  output: list(customer),
  doubts: [
    'uid is a number in the sample payload and String in the field table: both are accepted',
    'uid without times: the sandbox looks at all customers, else the check would be useless',
    'one bound alone is refused: a read of all pages sends both, from startTime or the oldest day kept to endTime or now; without times it reads the previous day in UTC+8, as the interface does',
  ],
});
