/** Places one order of a unified account, on spot, margin or futures: it must never be executed twice. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { placedOrder } from './placed-order.ts';
import { byDefault, choice, described, optional, record, text } from '../../schema.ts';
import {
  decimalText,
  idText,
  orderCategory,
  orderType,
  plainWord,
  selfTradeMode,
  symbolName,
  timeInForce,
} from '../../vocabulary.ts';

const trigger = choice(['market', 'mark'], { description: 'Price that triggers it' });
const kind = choice(['limit', 'market'], { description: 'The order that it places' });

export const placeOrder = operation({
  title: 'Place order of a unified account',
  method: 'POST',
  path: '/api/v3/trade/place-order',
  access: 'signed',
  permission: 'trade-write',
  limit: { permits: 10, per: second, of: 'uid' },
  leaderLimit: { permits: 1, per: second, of: 'uid' },
  effect: 'keyed',
  key: 'clientOid',
  keyed: placedOrder,
  requiredWhen: [
    { when: { orderType: ['limit'] }, require: 'price', because: 'a limit order needs a price' },
  ],
  ignored: [
    {
      fields: ['price', 'timeInForce'],
      when: { orderType: ['market'] },
      level: 'warning',
      because: 'a market order has no price',
      hint: 'remove it, or place a limit order',
    },
    {
      fields: ['posSide', 'reduceOnly', 'takeProfit', 'stopLoss'],
      when: { category: ['SPOT', 'MARGIN'] },
      level: 'warning',
      because: 'spot and margin orders have no position',
      hint: 'remove it; it belongs to an order of a futures line',
    },
    ...(['takeProfit', 'stopLoss'] as const).map((field) => {
      const short = field === 'takeProfit' ? 'tp' : 'sl';
      return {
        fields: [`${short}TriggerBy`, `${short}OrderType`, `${short}LimitPrice`],
        when: { [field]: [''] },
        level: 'warning' as const,
        because: `without ${field} nothing triggers it`,
        hint: `add ${field}`,
      };
    }),
  ],
  input: record({
    category: orderCategory,
    symbol: symbolName,
    qty: decimalText(
      'Quantity in the base coin; of a market buy on SPOT and MARGIN in the quote coin',
    ),
    price: optional(decimalText('Price; required for a limit order')),
    side: choice(['buy', 'sell'], {
      description: 'The executed side, in hedge mode, too: closing a long position is a sell',
    }),
    orderType,
    timeInForce: optional(
      byDefault('gtc', described('Time in force of a limit order, gtc by default', timeInForce)),
    ),
    posSide: optional(
      choice(['long', 'short'], {
        description: 'Required in hedge mode: the position that is opened or closed',
      }),
    ),
    clientOid: optional(
      text({
        minLength: 1,
        maxLength: 32,
        pattern: '^[.A-Z:/a-z0-9_-]+$',
        patternErrorMessage: 'must be made of letters, digits and . : / _ -',
        description: 'Your own id of the order; deskhand makes one when it is omitted',
      }),
    ),
    reduceOnly: optional(
      byDefault('no', choice(['yes', 'no'], { description: 'One-way mode only, no by default' })),
    ),
    stpMode: optional(byDefault('none', selfTradeMode)),
    takeProfit: optional(decimalText('Take-profit trigger price')),
    stopLoss: optional(decimalText('Stop-loss trigger price')),
    tpTriggerBy: optional(trigger),
    slTriggerBy: optional(trigger),
    tpOrderType: optional(kind),
    slOrderType: optional(kind),
    tpLimitPrice: optional(decimalText('Take-profit limit price')),
    slLimitPrice: optional(decimalText('Stop-loss limit price')),
  }),
  output: record({
    // The id is null or absent when a reduce-only order replaced an older one: the order is found by
    // clientOid.
    orderId: optional(idText('Order id; absent when a reduce-only order replaced an older one')),
    clientOid: plainWord('Client order id'),
  }),
  doubts: [
    'a clientOid may be used again once its order is filled or canceled: a lookup precedes every repetition',
    '40010, 40725 and 45001 say nothing about the outcome: the order is looked up',
    'which price triggers by default: not shown; the sandbox uses the mark price, and refuses market',
    'reduceOnly in hedge mode: not shown; the sandbox ignores it there',
  ],
});
