/** 14. P2P transactions for the tax return. */
import { day, second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { taxRecord } from '../resources/tax-record.ts';
import { list, optional, record } from '../schema.ts';
import { coinName, endTime, idText, pageSize, startTime } from '../vocabulary.ts';

const size = { initial: 500, maximum: 500 } as const;

export const listP2pRecords = operation({
  number: 14,
  title: 'P2P transaction records',
  method: 'GET',
  path: '/api/v2/tax/p2p-record',
  access: 'signed',
  permission: 'account-read',
  limit: { permits: 1, per: second, of: 'uid' },
  effect: 'read',
  window: {
    start: 'startTime',
    end: 'endTime',
    time: 'ts',
    span: 30 * day,
    omitted: 'refused',
    oneSided: 'refused',
  },
  page: {
    kind: 'older-than',
    parameter: 'idLessThan',
    size: { field: 'limit', ...size },
    id: ['id', 'ts', 'coin', 'p2pTaxType', 'balance'],
  },
  input: record({
    coin: optional(coinName('Only this coin; all by default')),
    startTime,
    endTime,
    limit: optional(pageSize(size)),
    idLessThan: optional(idText('Records older than this id: the last id of the previous page')),
  }),
  output: list(taxRecord),
  doubts: [
    'permission: not shown; the sandbox requires account read',
    'order of the rows and of their ids: not shown; a full page is read again in shorter time ranges, because idLessThan would miss rows whose ids do not fall',
    'how far back records reach: not shown; no bound is applied, so startTime is always required; without endTime a read of all pages ends now',
  ],
});
