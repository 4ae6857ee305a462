/** Rows of lists as the exchange writes them, and what a request asks for. */
import type { WireRequest } from '../../src/exchange/api/exchange.ts';

export interface Row {
  readonly id: number;
  readonly at: number;
}

/** The fields of a request, wherever they stand. */
export const fieldsOf = ({ query, body }: WireRequest): Record<string, string> =>
  body === '' ? Object.fromEntries(new URLSearchParams(query)) : JSON.parse(body);

export const order = ({ id, at }: Row) => ({
  orderId: String(id),
  clientOid: `c${id}`,
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  orderType: 'limit',
  side: 'buy',
  price: '1',
  qty: '1',
  amount: '1',
  cumExecQty: '1',
  cumExecValue: '1',
  avgPrice: '1',
  timeInForce: 'gtc',
  orderStatus: 'filled',
  posSide: '',
  holdMode: 'one_way_mode',
  reduceOnly: 'NO',
  createdTime: String(at),
  updatedTime: String(at),
});

export const bill = ({ id, at }: Row) => ({
  billId: String(id),
  symbol: 'BTCUSDT',
  amount: '1',
  fee: '0',
  feeByCoupon: '',
  businessType: 'buy',
  coin: 'USDT',
  balance: '1',
  cTime: String(at),
});

export const fill = ({ id, at }: Row) => ({
  tradeId: String(id),
  price: '1',
  size: '1',
  side: 'Buy',
  ts: String(at),
  symbol: 'BTCUSDT',
});
