/** The futures account of a classic account for one symbol: margin, leverage, position mode. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { needed, openChoice, optional, record } from '../../schema.ts';
import {
  coinName,
  decimalOrEmpty,
  decimalText,
  futuresProductType,
  plainWord,
  symbolName,
} from '../../vocabulary.ts';
import { marginCoinWord } from '../order-names.ts';

const money = (description: string) => optional(decimalOrEmpty(description));

export const getAccount = operation({
  title: 'Get futures account of a symbol',
  method: 'GET',
  path: '/api/v2/mix/account/account',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'read',
  input: record({
    symbol: symbolName,
    productType: futuresProductType,
    marginCoin: coinName(marginCoinWord),
  }),
  output: record({
    marginCoin: plainWord('Margin coin'),
    locked: money('Margin that is held for orders and positions'),
    available: money('Available balance'),
    crossedMaxAvailable: money('What may be used to open with crossed margin'),
    isolatedMaxAvailable: money('What may be used to open with isolated margin'),
    maxTransferOut: money('What may be transferred'),
    accountEquity: money('Equity in the margin coin'),
    usdtEquity: money('Equity in USDT'),
    btcEquity: money('Equity in BTC'),
    crossedRiskRate: money('Maintenance margin by equity'),
    crossedMarginLeverage: needed(decimalText('Leverage with crossed margin')),
    isolatedLongLever: needed(decimalText('Leverage of isolated long positions')),
    isolatedShortLever: needed(decimalText('Leverage of isolated short positions')),
    marginMode: needed(
      openChoice(['isolated', 'crossed'], { description: 'Margin mode of the symbol' }),
    ),
    posMode: needed(openChoice(['one_way_mode', 'hedge_mode'], { description: 'Position mode' })),
    unrealizedPL: money('Unrealised profit'),
    coupon: money('Trading bonus'),
    crossedUnrealizedPL: money('Unrealised profit of crossed positions'),
    isolatedUnrealizedPL: money('Unrealised profit of isolated positions'),
    assetMode: optional(plainWord('single or union')),
  }),
  doubts: [
    'leverage is a number in samples and a text in the table: read as text',
    'crossedRiskRate: the sandbox does not estimate it and returns an empty text',
    'usdtEquity and btcEquity: the sandbox converts by its mark prices',
  ],
});
