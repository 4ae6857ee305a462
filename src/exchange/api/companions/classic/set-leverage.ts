/** Sets the leverage of one futures symbol of a classic account. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { choice, optional, record } from '../../schema.ts';
import {
  coinName,
  decimalOrEmpty,
  futuresProductType,
  leverageText,
  plainWord,
  symbolName,
} from '../../vocabulary.ts';
import { marginCoinWord } from '../order-names.ts';

export const setLeverage = operation({
  title: 'Set leverage of a futures symbol',
  method: 'POST',
  path: '/api/v2/mix/account/set-leverage',
  access: 'signed',
  permission: 'trade-write',
  limit: { permits: 5, per: second, of: 'uid' },
  effect: 'set',
  sets: {
    target: ['productType', 'symbol'],
    value: 'leverage',
    unit: '×',
    shownBy: {
      operation: 'futures/get-account',
      input: { symbol: 'symbol', productType: 'productType', marginCoin: 'marginCoin' },
      value: [
        { row: { marginMode: ['crossed'] }, field: 'crossedMarginLeverage' },
        {
          row: { marginMode: ['isolated'] },
          write: { holdSide: ['long', ''] },
          field: 'isolatedLongLever',
        },
        {
          row: { marginMode: ['isolated'] },
          write: { holdSide: ['short', ''] },
          field: 'isolatedShortLever',
        },
      ],
    },
  },
  input: record({
    symbol: symbolName,
    productType: futuresProductType,
    marginCoin: coinName(marginCoinWord),
    leverage: leverageText('Leverage of the symbol'),
    holdSide: optional(
      choice(['long', 'short'], {
        description: 'Side of isolated margin in hedge mode; both sides without it',
      }),
    ),
  }),
  output: record({
    symbol: plainWord('Symbol'),
    marginCoin: plainWord('Margin coin'),
    longLeverage: optional(decimalOrEmpty('Leverage of long positions')),
    shortLeverage: optional(decimalOrEmpty('Leverage of short positions')),
    crossMarginLeverage: optional(decimalOrEmpty('Leverage with crossed margin')),
    marginMode: plainWord('Margin mode'),
  }),
  doubts: [
    'holdSide: the sandbox has one leverage for both sides of a symbol, and sets it',
    'holdSide outside of isolated hedge mode: ignored with crossed margin by an older document; refused by the sandbox',
    'the leverage that is set already: refused with 45054 or 40814 in reports; the sandbox accepts it',
    'longLeverage and shortLeverage of a request: not offered; two steps with holdSide set the same',
    'the refusal with open orders or positions: 45097, 40730 and 40893 are reported without a rule; the sandbox refuses only what lacks margin',
  ],
});
