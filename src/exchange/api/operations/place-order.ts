/** 6. Places one futures order: the operation that must never be executed twice. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { byDefault, choice, described, optional, record, text } from '../schema.ts';
import {
  decimalOrEmpty,
  decimalText,
  futuresProductType,
  idText,
  orderType,
  plainWord,
  selfTradeMode,
  side,
  symbolName,
  timeInForce,
  yesNo,
} from '../vocabulary.ts';

const presets = [
  'presetStopSurplusPrice',
  'presetStopLossPrice',
  'presetStopSurplusExecutePrice',
  'presetStopLossExecutePrice',
] as const;

export const placeOrder = operation({
  number: 6,
  title: 'Place futures order',
  method: 'POST',
  path: '/api/v2/mix/order/place-order',
  access: 'signed',
  permission: 'trade-write',
  limit: { permits: 10, per: second, of: 'uid' },
  leaderLimit: { permits: 1, per: second, of: 'uid' },
  effect: 'keyed',
  key: 'clientOid',
  requiredWhen: [
    { when: { orderType: ['limit'] }, require: 'price', because: 'a limit order needs a price' },
  ],
  ignored: [
    {
      fields: ['price', 'force'],
      when: { orderType: ['market'] },
      level: 'warning',
      because: 'a market order has no price',
      hint: 'remove it, or place a limit order',
    },
    ...[{ tradeSide: ['close'] }, { reduceOnly: ['YES'] }].map((when) => ({
      fields: presets,
      when,
      level: 'warning' as const,
      because: 'an order that closes has no position to protect afterwards',
      hint: 'remove it; presets belong to the order that opens the position',
    })),
    ...(['Surplus', 'Loss'] as const).map((kind) => ({
      fields: [`presetStop${kind}ExecutePrice`],
      when: { [`presetStop${kind}Price`]: [''] },
      level: 'warning' as const,
      because: `without presetStop${kind}Price nothing triggers it`,
      hint: `add presetStop${kind}Price`,
    })),
  ],
  input: record({
    symbol: symbolName,
    productType: futuresProductType,
    marginMode: choice(['isolated', 'crossed'], { description: 'Margin mode' }),
    marginCoin: text({
      pattern: '^[A-Z0-9]{1,20}$',
      patternErrorMessage: 'must be a coin in capitals such as USDT',
      description: 'Margin coin, upper case',
      examples: ['USDT'],
    }),
    size: decimalText('Quantity in the base coin; decimals as the API has them'),
    price: optional(decimalText('Price; required for a limit order')),
    side,
    tradeSide: optional(
      choice(['open', 'close'], {
        description: 'Required in hedge mode; must be omitted in one-way mode',
      }),
    ),
    orderType,
    force: optional(
      byDefault('gtc', described('Time in force of a limit order, gtc by default', timeInForce)),
    ),
    clientOid: optional(
      text({
        minLength: 1,
        maxLength: 64,
        pattern: '^[0-9A-Za-z_#:+./-]+$',
        patternErrorMessage: 'must be made of letters, digits and _ # : + . / -',
        description: 'Your own id of the order; deskhand makes one when it is omitted',
      }),
    ),
    reduceOnly: optional(byDefault('NO', described('One-way mode only, NO by default', yesNo))),
    presetStopSurplusPrice: optional(
      byDefault('', decimalOrEmpty('Take-profit trigger price; empty means none')),
    ),
    presetStopLossPrice: optional(
      byDefault('', decimalOrEmpty('Stop-loss trigger price; empty means none')),
    ),
    presetStopSurplusExecutePrice: optional(decimalText('Take-profit execution price')),
    presetStopLossExecutePrice: optional(decimalText('Stop-loss execution price')),
    stpMode: optional(byDefault('none', selfTradeMode)),
  }),
  output: record({
    // Absent when a reduce-only order canceled older ones (rule 2): find it by clientOid.
    orderId: optional(idText('Order id; absent after a reduce-only overflow')),
    clientOid: plainWord('Client order id'),
  }),
  doubts: [
    'force is called required for limit orders and also defaulted to gtc: it is optional here',
    'which code a missing or forbidden tradeSide returns: not shown',
    'the length of clientOid: not shown; other public documents name 50 and 32, deskhand uses 28',
  ],
});
