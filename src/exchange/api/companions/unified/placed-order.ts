/** How an order of a unified account is proved, valued, checked and shown. */
import type { KeyedWrite } from '../../keyed-write.ts';
import { orderLists, orderRow } from '../../order-lists.ts';

const marketBuys = [{ category: ['SPOT', 'MARGIN'], side: ['buy'], orderType: ['market'] }];

export const placedOrder = {
  id: 'orderId',
  lacksId: { field: 'reduceOnly', unless: 'no' },
  fields: {
    line: 'category',
    symbol: 'symbol',
    side: 'side',
    size: 'qty',
    price: 'price',
    type: 'orderType',
  },
  markets: {
    SPOT: 'SPOT',
    MARGIN: 'SPOT',
    'USDT-FUTURES': 'USDT-FUTURES',
    'COIN-FUTURES': 'COIN-FUTURES',
    'USDC-FUTURES': 'USDC-FUTURES',
  },
  closes: [
    { reduceOnly: ['yes'] },
    { posSide: ['long'], side: ['sell'] },
    { posSide: ['short'], side: ['buy'] },
  ],
  inQuoteCoin: marketBuys,
  neverRests: [
    { when: [{ orderType: ['market'] }, { timeInForce: ['ioc'] }] },
    { when: [{ timeInForce: ['fok'] }], whole: true },
  ],
  lookup: {
    byKey: {
      operation: 'trade/get-order',
      input: { clientOid: 'clientOid' },
      unknown: ['25204'],
      row: orderRow,
    },
    lists: orderLists,
  },
  compared: [
    { field: 'symbol', row: 'symbol', by: 'word' },
    { field: 'side', row: 'side', by: 'side' },
    // No document says which quantity the row of an order shows that names an amount.
    { field: 'qty', row: 'qty', by: 'size', unless: marketBuys },
    { field: 'price', row: 'price', by: 'price', when: [{ orderType: ['limit'] }] },
  ],
  checked: {
    prices: ['price', 'takeProfit', 'tpLimitPrice', 'stopLoss', 'slLimitPrice'],
    contradictions: [
      {
        when: [{ reduceOnly: ['yes'] }],
        given: 'posSide',
        field: 'reduceOnly',
        message: 'reduceOnly is for one-way mode, posSide for hedge mode',
        hint: 'in hedge mode, posSide: long with side: sell reduces a long position',
      },
    ],
    mode: {
      field: 'posSide',
      code: '25236',
      oneWay: {
        planned: 'reduceOnly: yes is what closes a position in one-way mode',
        refused: 'remove posSide, and close with reduceOnly: yes',
      },
      hedge: {
        planned: 'add posSide: long or short under with',
        refused: 'write posSide: long or short, and remove reduceOnly',
      },
    },
  },
  shown: {
    direction: [
      {
        of: ['side', 'posSide'],
        // `side` is the executed side, also for an order that closes a position.
        as: {
          'buy long': 'open long',
          'sell short': 'open short',
          'sell long': 'close long',
          'buy short': 'close short',
        },
      },
    ],
    terms: [
      { kind: 'value', field: 'timeInForce' },
      { kind: 'flag', field: 'reduceOnly', value: 'yes', words: 'reduce-only', initially: 'no' },
      { kind: 'trigger', name: 'take-profit', price: 'takeProfit', executed: 'tpLimitPrice' },
      { kind: 'trigger', name: 'stop-loss', price: 'stopLoss', executed: 'slLimitPrice' },
      { kind: 'named', field: 'stpMode', name: 'STP', initially: 'none' },
      { kind: 'line' },
    ],
    currency: { 'USDT-FUTURES': 'USDT', 'USDC-FUTURES': 'USDC', 'COIN-FUTURES': 'USD' },
  },
} as const satisfies KeyedWrite;
