/** 15. Sets one leverage for every symbol of a product type with an open position. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { optional, openChoice, record, text } from '../schema.ts';
import { coinName, futuresProductType, leverageText, symbolName } from '../vocabulary.ts';

const ignored = { description: 'In the example body only; its role is not shown: ignored' };

export const setAllLeverage = operation({
  number: 15,
  title: 'Set leverage for all symbols of a product line',
  method: 'POST',
  path: '/api/v2/mix/account/set-all-leverage',
  access: 'signed',
  permission: 'trade-write',
  limit: { permits: 5, per: second, of: 'uid' },
  effect: 'set',
  sets: {
    target: ['productType'],
    value: 'leverage',
    unit: '×',
    shownBy: {
      operation: 'futures/list-positions',
      input: { productType: 'productType' },
      rows: '',
      value: [{ field: 'leverage' }],
    },
  },
  ignored: [
    {
      fields: ['symbol', 'marginCoin', 'holdSide'],
      level: 'error',
      because: 'the leverage of every symbol of productType with a position is set',
      hint: 'remove it; no operation of the exchange sets the leverage of one symbol or side',
    },
  ],
  input: record({
    productType: futuresProductType,
    leverage: leverageText('Leverage; takes effect only for symbols with an open position'),
    symbol: optional({ ...symbolName, json: { ...symbolName.json, ...ignored } }),
    marginCoin: optional(coinName(ignored.description)),
    holdSide: optional(text(ignored)),
  }),
  output: openChoice(['success', 'failure'], { description: 'failure: no symbol was changed' }),
  doubts: [
    'permission: not shown; the sandbox requires trade write',
    'symbol, marginCoin and holdSide are in the example body only: accepted and ignored',
    'whether a failure changes some symbols: not shown; the sandbox changes all or none',
  ],
});
