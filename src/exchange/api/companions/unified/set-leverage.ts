/** Sets the leverage of one symbol, or of one margin coin, of a unified account. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { choice, openChoice, optional, record } from '../../schema.ts';
import { coinName, leverageText, orderCategory, symbolName } from '../../vocabulary.ts';

export const setLeverage = operation({
  title: 'Set leverage of a unified account',
  method: 'POST',
  path: '/api/v3/account/set-leverage',
  access: 'signed',
  permission: 'account-write',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'set',
  sets: {
    target: ['category', 'symbol'],
    value: 'leverage',
    unit: '×',
    shownBy: {
      operation: 'account/get-settings',
      input: {},
      rows: 'symbolConfigList',
      where: { category: 'category', symbol: 'symbol' },
      value: [
        { row: { marginMode: ['crossed'] }, field: 'leverage' },
        { row: { marginMode: ['isolated'] }, write: { posSide: [''] }, field: 'leverage' },
      ],
    },
  },
  requiredWhen: [
    {
      when: { category: ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'] },
      require: 'symbol',
      because: 'the leverage of futures is set by symbol',
    },
    {
      when: { category: ['MARGIN'] },
      require: 'coin',
      because: 'the leverage of margin is set by coin',
    },
  ],
  input: record({
    category: orderCategory,
    leverage: leverageText('Leverage of the symbol, or of the coin'),
    symbol: optional(symbolName),
    coin: optional(coinName('Coin; required on MARGIN')),
    posSide: optional(
      choice(['long', 'short'], {
        description: 'Side of isolated margin in hedge mode; both sides without it',
      }),
    ),
  }),
  output: openChoice(['success'], { description: 'success' }),
  doubts: [
    'posSide: the sandbox has one leverage for both sides of a symbol, and sets it',
    'posSide outside of isolated hedge mode: not shown; refused by the sandbox',
    'the leverage that is set already: not shown; the sandbox accepts it',
    'posSide with isolated margin: account/get-settings has one leverage of a symbol, so that of a side is not compared',
    'category SPOT: has no leverage; the sandbox refuses it',
  ],
});
