/** The settings of a unified account: modes, and the leverage of each symbol and coin. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { list, needed, openChoice, record, text } from '../../schema.ts';
import { decimalText, orderCategories, plainWord } from '../../vocabulary.ts';

export const getSettings = operation({
  title: 'Get settings of a unified account',
  method: 'GET',
  path: '/api/v3/account/settings',
  access: 'signed',
  permission: 'account-read',
  limit: { permits: 20, per: second, of: 'uid' },
  effect: 'read',
  input: record({}),
  output: record({
    uid: plainWord('User id'),
    accountMode: openChoice(['unified', 'classic'], { description: 'Account family' }),
    assetMode: openChoice(['single', 'union'], { description: 'Whether coins share their margin' }),
    holdMode: needed(openChoice(['one_way_mode', 'hedge_mode'], { description: 'Position mode' })),
    stpMode: plainWord('Self-trade prevention'),
    symbolConfigList: list(
      record({
        category: openChoice(orderCategories, { description: 'Kind of order' }),
        symbol: text({ minLength: 1, description: 'Symbol; in lower case, too' }),
        marginMode: openChoice(['isolated', 'crossed'], { description: 'Margin mode' }),
        leverage: decimalText('Leverage'),
      }),
    ),
    coinConfigList: list(record({ coin: plainWord('Coin'), leverage: decimalText('Leverage') })),
  }),
  doubts: [
    'holdMode is one word for all futures lines: the sandbox has one for each and returns that of USDT-FUTURES',
    'which symbols are listed: not shown; the sandbox lists those with a setting, an order or a position',
  ],
});
