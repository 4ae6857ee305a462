/** Trading in a scenario: symbols, manual prices, orders. */
import { choice, integer, optional, record, text, type Schema } from '../../exchange/api/schema.ts';
import {
  coinName,
  decimalText,
  deliveryStatuses,
  orderCategories,
  orderType,
  selfTradeMode,
  side,
  symbolName,
  tickerCategories,
  timeInForce,
  yesNo,
} from '../../exchange/api/vocabulary.ts';
import { closed, flag, number, ratio, uid } from './words.ts';

const step = integer({
  minimum: 1,
  maximum: 10 ** 6,
  description: 'In units of the last decimal place',
});

export const instrument = record(
  {
    category: choice(tickerCategories),
    symbol: symbolName,
    baseCoin: coinName('Base coin'),
    quoteCoin: coinName('Quote coin'),
    marginCoin: optional(coinName('Margin coin; the quote coin, on COIN-FUTURES the base coin')),
    price: decimalText('Price around which it moves'),
    priceScale: integer({ minimum: 0, maximum: 8, description: 'Decimal places of a price' }),
    sizeScale: integer({ minimum: 0, maximum: 8, description: 'Decimal places of a size' }),
    priceStep: optional(step),
    sizeStep: optional(step),
    sizeMin: ratio('Smallest order'),
    sizeMax: ratio('Largest order'),
    notionalMin: ratio('Least price × size'),
    leverageMax: optional(integer({ minimum: 1, maximum: 125 })),
    makerFee: ratio('As a ratio'),
    takerFee: ratio('As a ratio'),
    priceBand: ratio('Maximum distance of a limit from the mark price, as a ratio'),
    dailySpread: optional(
      number({ minimum: 0, maximum: 1, description: 'Daily volatility, as a ratio' }),
    ),
    typicalLots: optional(
      integer({ minimum: 1, maximum: 10 ** 9, description: 'Typical trade size, in size units' }),
    ),
    delivery: optional(
      record(
        { startTime: integer({ minimum: 0 }), time: integer({ minimum: 0 }) },
        { ...closed, description: 'When it is listed and delivered, Unix milliseconds' },
      ),
    ),
  },
  closed,
);

const orChance = (description: string): Schema<string | null> => ({
  json: { type: ['string', 'null'], format: 'decimal', description },
});

export const priceOrChance = orChance('null makes it random again');
/** The fields that name a market. */
export interface Named {
  readonly category: (typeof tickerCategories)[number];
  readonly symbol: string;
}

export const named = { category: choice(tickerCategories), symbol: symbolName };

export const market = record(
  {
    ...named,
    price: optional(priceOrChance),
    mark: optional(priceOrChance),
    fundingRate: optional(orChance('As a ratio; may be negative; null makes it random again')),
    deliveryStatus: optional(choice(deliveryStatuses)),
    deliver: optional(flag('Settle every position now')),
  },
  closed,
);

export const order = record(
  {
    uid,
    category: choice(orderCategories),
    symbol: symbolName,
    side,
    orderType,
    size: decimalText('Quantity'),
    price: optional(decimalText('Limit price')),
    clientOid: optional(text({ minLength: 1 })),
    force: optional(timeInForce),
    stpMode: optional(selfTradeMode),
    marginMode: optional(choice(['isolated', 'crossed'])),
    marginCoin: optional(coinName('Margin coin')),
    tradeSide: optional(choice(['open', 'close'])),
    reduceOnly: optional(yesNo),
    presetStopSurplusPrice: optional(decimalText('Take-profit trigger')),
    presetStopSurplusExecutePrice: optional(decimalText('Take-profit price')),
    presetStopLossPrice: optional(decimalText('Stop-loss trigger')),
    presetStopLossExecutePrice: optional(decimalText('Stop-loss price')),
  },
  closed,
);
