/** An order of the unified account, as in open and history orders. */
import {
  described,
  either,
  list,
  needed,
  nothing,
  openChoice,
  optional,
  record,
} from '../schema.ts';
import {
  decimalOrEmpty,
  decimalText,
  idText,
  millisText,
  openSelfTradeMode,
  orderCategories,
  plainWord,
  positionSide,
  symbolName,
} from '../vocabulary.ts';

const feeItem = record({
  feeCoin: described('Fee coin; null on an open order', either(plainWord('Fee coin'), nothing)),
  fee: described('Total fee; null on an open order', either(decimalOrEmpty('Total fee'), nothing)),
});

const orderFields = {
  orderId: needed(idText('Order id')),
  clientOid: needed(plainWord('Client-assigned order id')),
  category: openChoice(orderCategories, { description: 'Kind of order' }),
  symbol: needed(symbolName),
  orderType: openChoice(['limit', 'market'], { description: 'limit or market' }),
  side: needed(openChoice(['buy', 'sell'], { description: 'buy or sell' })),
  price: needed(decimalOrEmpty('Order price')),
  qty: needed(decimalText('Order quantity in the base coin')),
  amount: decimalOrEmpty('Order amount in the quote coin'),
  cumExecQty: needed(decimalText('Executed quantity, base coin')),
  cumExecValue: decimalText('Executed value, quote coin'),
  avgPrice: decimalOrEmpty('Average fill price'),
  timeInForce: openChoice(['ioc', 'fok', 'gtc', 'post_only'], { description: 'Time in force' }),
  orderStatus: needed(
    openChoice(['live', 'new', 'partially_filled', 'filled', 'cancelled'], {
      description: 'live: created; new: matching; then partially_filled, filled or cancelled',
    }),
  ),
  posSide: positionSide,
  holdMode: needed(openChoice(['one_way_mode', 'hedge_mode'], { description: 'Position mode' })),
  stpMode: optional(openSelfTradeMode), // absent from real answers, listed by the interface
  reduceOnly: openChoice(['YES', 'NO'], { description: 'Whether it may only reduce a position' }),
  feeDetail: optional(either(list(feeItem), nothing)),
  createdTime: needed(millisText('Created, Unix milliseconds')),
  updatedTime: millisText('Last changed, Unix milliseconds'),
};

const execType = optional(
  openChoice(['normal', 'offset', 'reduce', 'liquidation', 'delivery'], {
    description: 'How it came to be executed',
  }),
);

export const openOrder = record(orderFields);

export const historyOrder = record({
  ...orderFields,
  cancelReason: optional(
    openChoice(['normal_cancel', ''], { description: 'Why it was canceled; empty when filled' }),
  ),
  execType,
});

/** The order of a lookup: open or closed, with its side of trading. */
export const foundOrder = record({
  ...orderFields,
  tradeSide: optional(
    openChoice(['open', 'close', ''], { description: 'open or close in hedge mode' }),
  ),
  cancelReason: optional(
    openChoice(['normal_cancel', ''], {
      description: 'Why it was canceled; empty when it was not',
    }),
  ),
  execType,
});
