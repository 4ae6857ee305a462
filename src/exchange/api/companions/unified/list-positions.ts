/** Open futures positions of a unified account. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { unifiedPosition } from '../../resources/position.ts';
import { choice, list, optional, record } from '../../schema.ts';
import { futuresProductType, symbolName } from '../../vocabulary.ts';

export const listPositions = operation({
  title: 'Get positions of a unified account',
  method: 'GET',
  path: '/api/v3/position/current-position',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 20, per: second, of: 'uid' },
  effect: 'read',
  rows: 'list',
  id: ['category', 'symbol', 'posSide'],
  input: record({
    category: futuresProductType,
    symbol: optional(symbolName),
    posSide: optional(choice(['long', 'short'], { description: 'Only this direction' })),
  }),
  output: record({ list: list(unifiedPosition) }),
  doubts: [
    'liquidationPrice: the sandbox does not estimate it and returns an empty text',
    'curRealisedPnl, breakEvenPrice, totalFunding, openFeeTotal and closeFeeTotal: the sandbox does not keep them for each position and returns an empty text',
    'updatedTime: the sandbox returns the time of opening',
  ],
});
