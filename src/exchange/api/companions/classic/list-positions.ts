/** Open futures positions of a classic account. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { classicPosition } from '../../resources/position.ts';
import { list, optional, record } from '../../schema.ts';
import { coinName, futuresProductType } from '../../vocabulary.ts';
import { marginCoinWord } from '../order-names.ts';

export const listPositions = operation({
  title: 'Get all futures positions',
  method: 'GET',
  path: '/api/v2/mix/position/all-position',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 5, per: second, of: 'uid' },
  effect: 'read',
  rows: '',
  id: ['symbol', 'holdSide', 'marginCoin'],
  input: record({
    productType: futuresProductType,
    marginCoin: optional(coinName(marginCoinWord)),
  }),
  output: list(classicPosition),
  doubts: [
    'liquidationPrice: the sandbox does not estimate it and returns an empty text',
    'achievedProfits, totalFee, deductedFee, breakEvenPrice, marginRatio and prices of take-profit and stop-loss: the sandbox does not keep them for each position and returns an empty text',
    'uTime: the sandbox returns the time of opening',
  ],
});
