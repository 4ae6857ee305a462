/** 6. Places one futures order: the operation that must never be executed twice. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { classicOrderLists, classicOrderRow, orderLists } from '../order-lists.ts';
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
  keyed: {
    id: 'orderId',
    lacksId: { field: 'reduceOnly', unless: 'NO' }, // rule 2
    fields: {
      line: 'productType',
      symbol: 'symbol',
      side: 'side',
      size: 'size',
      price: 'price',
      type: 'orderType',
      coin: 'marginCoin',
    },
    markets: {
      'USDT-FUTURES': 'USDT-FUTURES',
      'COIN-FUTURES': 'COIN-FUTURES',
      'USDC-FUTURES': 'USDC-FUTURES',
    },
    closes: [{ tradeSide: ['close'] }, { reduceOnly: ['YES'] }], // rules 2 and 3
    // In hedge mode a close has the side of the position on some accounts and the opposite on others.
    namesPosition: [{ tradeSide: ['close'] }],
    neverRests: [
      { when: [{ orderType: ['market'] }, { force: ['ioc'] }] },
      { when: [{ force: ['fok'] }], whole: true },
    ],
    lookup: { lists: orderLists, turnsSide: [{ tradeSide: ['close'] }] },
    lookupOf: {
      // The rows of classic accounts show the side as it was sent: only the direction tells an order that
      // closes.
      classic: {
        byKey: {
          operation: 'futures/get-order',
          input: { symbol: 'symbol', productType: 'productType', clientOid: 'clientOid' },
          unknown: ['40109', '40768', '43001'],
          row: classicOrderRow,
        },
        lists: classicOrderLists,
        comparedToo: [{ field: 'tradeSide', row: 'direction', by: 'word' }],
      },
    },
    compared: [
      { field: 'symbol', row: 'symbol', by: 'word' },
      { field: 'side', row: 'side', by: 'side' },
      { field: 'size', row: 'qty', by: 'size' },
      { field: 'price', row: 'price', by: 'price', when: [{ orderType: ['limit'] }] },
    ],
    checked: {
      prices: [
        'price',
        'presetStopSurplusPrice',
        'presetStopSurplusExecutePrice',
        'presetStopLossPrice',
        'presetStopLossExecutePrice',
      ],
      contradictions: [
        {
          when: [{ reduceOnly: ['YES'] }],
          given: 'tradeSide',
          field: 'reduceOnly',
          message: 'reduceOnly is for one-way mode, tradeSide for hedge mode',
          hint: 'in hedge mode, tradeSide: close reduces a position',
        },
      ],
      mode: {
        field: 'tradeSide',
        code: '40774',
        oneWay: {
          planned: 'reduceOnly: YES is what closes a position in one-way mode',
          refused: 'remove tradeSide, and close with reduceOnly: YES',
        },
        hedge: {
          planned: 'add tradeSide: open or close under with',
          refused: 'write tradeSide: open or close, and remove reduceOnly',
        },
      },
    },
    shown: {
      direction: [
        { of: ['tradeSide'] },
        // `buy` names the long position, also for an order that closes it.
        { of: ['side'], as: { buy: 'long', sell: 'short' }, given: 'tradeSide' },
        { of: ['side'], absent: 'tradeSide' },
      ],
      terms: [
        { kind: 'value', field: 'force' },
        { kind: 'value', field: 'marginMode' },
        {
          kind: 'flag',
          field: 'reduceOnly',
          value: 'YES',
          words: 'reduce-only',
          initially: 'NO',
        },
        {
          kind: 'trigger',
          name: 'take-profit',
          price: 'presetStopSurplusPrice',
          executed: 'presetStopSurplusExecutePrice',
        },
        {
          kind: 'trigger',
          name: 'stop-loss',
          price: 'presetStopLossPrice',
          executed: 'presetStopLossExecutePrice',
        },
        { kind: 'named', field: 'stpMode', name: 'STP', initially: 'none' },
        { kind: 'line' },
      ],
      currency: { 'COIN-FUTURES': 'USD' }, // priced in dollars, settled in the coin
    },
  },
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
    // The id is absent when a reduce-only order canceled older ones (rule 2): the order is found by
    // clientOid.
    orderId: optional(idText('Order id; absent after a reduce-only overflow')),
    clientOid: plainWord('Client order id'),
  }),
  doubts: [
    'force is called required for limit orders and also defaulted to gtc: it is optional here',
    'which code a missing or forbidden tradeSide returns: not shown',
    'the length of clientOid: not shown; other public documents name 50 and 32, deskhand uses 28',
  ],
});
