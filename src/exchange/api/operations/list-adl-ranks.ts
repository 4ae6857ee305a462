/** 10. The account's rank in the auto-deleveraging queue for each open position. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { adlRank } from '../resources/reserve.ts';
import { list, record } from '../schema.ts';
import { futuresProductType } from '../vocabulary.ts';

export const listAdlRanks = operation({
  number: 10,
  title: 'Get ADL rank',
  method: 'GET',
  path: '/api/v2/mix/position/adlRank',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 20, per: second, of: 'uid' },
  effect: 'read',
  rows: '',
  input: record({ productType: futuresProductType }),
  output: list(adlRank),
  doubts: [
    'permission: not shown; the sandbox requires trade read',
    'two positions of one symbol in hedge mode: two rows, and nothing distinguishes them',
  ],
});
