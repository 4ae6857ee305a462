/** 8. Entries of the futures accounts: fees, funding, realised profit, transfers. */
import { day, second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { bill } from '../resources/bill.ts';
import { choice, list, optional, record } from '../schema.ts';
import {
  businessTypes,
  coinName,
  endTime,
  futuresLineOrDemo,
  idText,
  pageSize,
  plainWord,
  startTime,
} from '../vocabulary.ts';

const size = { initial: 20, maximum: 100 } as const;

export const listBills = operation({
  number: 8,
  title: 'Get account bills',
  method: 'GET',
  path: '/api/v2/mix/account/bill',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'cTime',
    span: 30 * day,
    lookBack: 90 * day,
    omitted: 'everything-kept',
    oneSided: 'one-span',
  },
  page: {
    kind: 'older-than',
    parameter: 'idLessThan',
    answer: 'endId',
    size: { field: 'limit', ...size },
    rows: 'bills',
    id: ['billId', 'cTime', 'businessType', 'amount'],
  },
  ignored: [
    {
      fields: ['coin'],
      unless: { businessType: ['trans_from_exchange', 'trans_to_exchange'] },
      level: 'warning',
      because: 'bills of every coin are returned',
      hint: 'coin applies only to businessType trans_from_exchange or trans_to_exchange; filter the rows',
    },
  ],
  input: record({
    productType: futuresLineOrDemo,
    coin: optional(coinName('Used only with trans_from_exchange and trans_to_exchange')),
    businessType: optional(choice(businessTypes, { description: 'Only this type' })),
    onlyFunding: optional(
      choice(['yes', 'no'], {
        description: 'yes leaves out the four margin movements; default no',
      }),
    ),
    idLessThan: optional(idText('Entries older than this id: the endId of the previous response')),
    startTime: optional(startTime),
    endTime: optional(endTime),
    limit: optional(pageSize(size)),
  }),
  output: record({ bills: list(bill), endId: optional(plainWord('Id of the last entry')) }),
  doubts: [
    'permission: not shown; the sandbox requires trade read',
    'endId of an empty page: not shown; the sandbox returns ""',
    'idGreaterThan is mentioned in a description and is not a parameter: ignored',
  ],
});
