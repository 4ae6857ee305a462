/** Cancels one futures order of a classic account. A success means that the request was accepted. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { classicOrderLists, classicOrderRow } from '../../order-lists.ts';
import { optional, record } from '../../schema.ts';
import { coinName, futuresProductType, idText, plainWord, symbolName } from '../../vocabulary.ts';
import { marginCoinWord, namedOrder, orderNames } from '../order-names.ts';

export const cancelOrder = operation({
  title: 'Cancel futures order',
  method: 'POST',
  path: '/api/v2/mix/order/cancel-order',
  access: 'signed',
  permission: 'trade-write',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'set',
  ends: {
    operation: 'futures/get-order',
    input: {
      symbol: 'symbol',
      productType: 'productType',
      orderId: 'orderId',
      clientOid: 'clientOid',
    },
    unknown: ['40109', '40768', '43001'],
    row: classicOrderRow,
    listed: { lists: classicOrderLists, line: 'productType', id: 'orderId', key: 'clientOid' },
  },
  requiredWhen: namedOrder,
  input: record({
    symbol: symbolName,
    productType: futuresProductType,
    marginCoin: optional(coinName(marginCoinWord)),
    ...orderNames,
  }),
  output: record({
    orderId: optional(idText('Order id')),
    clientOid: optional(plainWord('Client order id')),
  }),
  doubts: [
    'a success means accepted, not canceled: the order is read afterwards',
    'the refusal of an order that is filled or canceled: reported as not found; the sandbox returns 40109',
  ],
});
