/** A ticker: the state of one symbol's market. */
import { needed, openChoice, optional, record } from '../schema.ts';
import {
  decimalOrEmpty,
  decimalText,
  deliveryStatuses,
  millisOrEmpty,
  millisText,
  symbolName,
  tickerCategories,
} from '../vocabulary.ts';

export const ticker = record({
  category: openChoice(tickerCategories, { description: 'Product line' }),
  symbol: needed(symbolName),
  ts: needed(millisText('Generated, Unix milliseconds')),
  lastPrice: needed(decimalText('Latest price')),
  openPrice24h: decimalText('Price 24 hours ago'),
  highPrice24h: decimalText('24 h high'),
  lowPrice24h: decimalText('24 h low'),
  ask1Price: needed(decimalOrEmpty('Best ask; empty on an empty book')),
  ask1Size: needed(decimalText('Size at the best ask')),
  bid1Price: needed(decimalOrEmpty('Best bid; empty on an empty book')),
  bid1Size: needed(decimalText('Size at the best bid')),
  price24hPcnt: decimalText('24 h change as a ratio: 0.01 is one per cent'),
  volume24h: decimalText('24 h volume'),
  turnover24h: decimalText('24 h turnover'),
  indexPrice: optional(decimalOrEmpty('Index price; futures only')),
  markPrice: optional(needed(decimalOrEmpty('Mark price; futures only'))),
  fundingRate: optional(decimalOrEmpty('Current funding rate; futures only')),
  openInterest: optional(decimalOrEmpty('Open interest of the whole exchange; futures only')),
  deliveryStartTime: optional(millisOrEmpty('Delivery symbols only')),
  deliveryTime: optional(millisOrEmpty('Delivery symbols only')),
  deliveryStatus: optional(
    openChoice([...deliveryStatuses, ''], {
      description: 'Phase of a delivery symbol: configured, trading, last ten minutes, in delivery',
    }),
  ),
});
