/** An order of the classic account, as in its lookup, its open orders and its closed ones. */
import { described, needed, openChoice, optional, record, text } from '../schema.ts';
import { decimalOrEmpty, decimalText, idText, millisText, plainWord } from '../vocabulary.ts';

const status = openChoice(['live', 'partially_filled', 'filled', 'canceled'], {
  description: 'live; then partially_filled, filled or canceled',
});

const preset = (what: string) => optional(decimalOrEmpty(`${what}; empty means none`));

const fields = {
  symbol: needed(text({ minLength: 1, description: 'Symbol; in lower case, too' })),
  size: needed(decimalText('Order quantity in the base coin')),
  orderId: needed(idText('Order id')),
  clientOid: needed(plainWord('Client-assigned order id')),
  baseVolume: needed(decimalText('Executed quantity, base coin')),
  quoteVolume: optional(decimalOrEmpty('Executed value, quote coin')),
  priceAvg: optional(decimalOrEmpty('Average fill price; empty before the first fill')),
  fee: optional(decimalOrEmpty('Fee')),
  price: needed(decimalOrEmpty('Order price; empty for a market order')),
  side: needed(openChoice(['buy', 'sell'], { description: 'buy or sell, as it was sent' })),
  force: openChoice(['gtc', 'ioc', 'fok', 'post_only'], { description: 'Time in force' }),
  totalProfits: optional(decimalOrEmpty('Realised profit')),
  posSide: openChoice(['long', 'short', 'net'], {
    description: 'Position side; net in one-way mode',
  }),
  marginCoin: described('Margin coin; in lower case, too', plainWord('')),
  presetStopSurplusPrice: preset('Take-profit trigger price'),
  presetStopSurplusExecutePrice: preset('Take-profit execution price'),
  presetStopSurplusType: optional(plainWord('Price that triggers the take-profit')),
  presetStopLossPrice: preset('Stop-loss trigger price'),
  presetStopLossExecutePrice: preset('Stop-loss execution price'),
  presetStopLossType: optional(plainWord('Price that triggers the stop-loss')),
  orderType: openChoice(['limit', 'market'], { description: 'limit or market' }),
  leverage: decimalOrEmpty('Leverage'),
  marginMode: openChoice(['isolated', 'crossed'], { description: 'Margin mode' }),
  reduceOnly: openChoice(['YES', 'NO'], { description: 'Whether it may only reduce a position' }),
  enterPointSource: optional(plainWord('Where the order came from, such as API')),
  tradeSide: needed(
    openChoice(['open', 'close', 'buy_single', 'sell_single'], {
      description: 'open or close in hedge mode; another word in one-way mode',
    }),
  ),
  posMode: needed(openChoice(['one_way_mode', 'hedge_mode'], { description: 'Position mode' })),
  orderSource: optional(plainWord('What created the order, such as normal or liquidation')),
  cancelReason: optional(plainWord('Why it was canceled; empty when it was not')),
  cTime: needed(millisText('Created, Unix milliseconds')),
  uTime: millisText('Last changed, Unix milliseconds'),
};

/** An order in a list. */
export const classicOrder = record({ ...fields, status: needed(status) });

/** A closed order in a list. */
export const closedClassicOrder = record({
  ...fields,
  status: needed(status),
  posAvg: optional(decimalOrEmpty('Average price of the position')),
});

/** The order of a lookup, whose state has one of two names. */
export const foundClassicOrder = record({
  ...fields,
  state: optional(needed(status)),
  status: optional(needed(described('The same under the name of the documented table', status))),
});
