/** 12. Movements of the fund that pays for bankrupt positions. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { riskReserve } from '../resources/reserve.ts';
import { optional, record } from '../schema.ts';
import { coinName, futuresProductType, symbolName } from '../vocabulary.ts';

export const getRiskReserve = operation({
  number: 12,
  title: 'Get risk reserve',
  method: 'GET',
  path: '/api/v3/market/risk-reserve',
  access: 'public',
  limit: { permits: 20, per: second, of: 'ip' },
  effect: 'read',
  rows: 'riskReserveRecords',
  requiredWhen: [
    {
      when: { category: ['COIN-FUTURES'] },
      require: 'marginCoin',
      because: 'COIN-FUTURES has one reserve for each margin coin',
    },
  ],
  input: record({
    category: futuresProductType,
    symbol: symbolName,
    marginCoin: optional(coinName('Margin coin; required for COIN-FUTURES')),
  }),
  output: riskReserve,
  doubts: ['how far back the records reach: not shown'],
});
