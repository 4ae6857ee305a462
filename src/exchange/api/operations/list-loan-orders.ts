/** 7. Loans drawn from institutional loan products. */
import { day, second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { loanOrder } from '../resources/loan.ts';
import { list, optional, record } from '../schema.ts';
import { endTime, idText, startTime } from '../vocabulary.ts';

export const listLoanOrders = operation({
  number: 7,
  title: 'Get loan orders',
  method: 'GET',
  path: '/api/v2/spot/ins-loan/loan-order',
  access: 'signed',
  permission: 'account-read',
  limit: { permits: 5, per: second, of: 'uid' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'loanTime',
    span: 30 * day,
    omitted: 'last-span',
    oneSided: 'start-from-now',
  },
  rows: '',
  id: ['orderId'],
  ignored: [
    {
      fields: ['startTime', 'endTime'],
      unless: { orderId: [''] },
      level: 'warning',
      because: 'with orderId the one loan is returned, at any age',
      hint: 'remove it, or remove orderId',
    },
  ],
  input: record({
    orderId: optional(idText('Only this loan; otherwise all, newest loanTime first')),
    startTime: optional(startTime),
    endTime: optional(endTime),
  }),
  output: list(loanOrder),
  doubts: [
    'permission: not shown; the sandbox requires account read',
    'orderId together with times: the sandbox lets the id win',
    'how far back loans reach: not shown; without startTime a read of all pages begins 30 days ago, as the interface does, and with startTime it ends now',
  ],
});
