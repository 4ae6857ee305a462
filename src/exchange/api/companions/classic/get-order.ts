/** Looks up one futures order of a classic account. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { foundClassicOrder } from '../../resources/classic-order.ts';
import { record } from '../../schema.ts';
import { futuresProductType, symbolName } from '../../vocabulary.ts';
import { namedOrder, orderNames } from '../order-names.ts';

export const getOrder = operation({
  title: 'Get futures order',
  method: 'GET',
  path: '/api/v2/mix/order/detail',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'read',
  requiredWhen: namedOrder,
  input: record({ symbol: symbolName, productType: futuresProductType, ...orderNames }),
  output: foundClassicOrder,
  doubts: [
    'the name of the state: the sample has state, the table status; both are read',
    'reduceOnly of a hedge close: not shown; YES in recorded answers, and in the sandbox',
    'orderSource: normal in samples; market for a market order in recorded answers, and in the sandbox',
    'totalProfits: the sandbox keeps no profit of an order; empty once it may have closed something',
    'which code an unknown order returns: 40109, 40768 and 43001 are reported; the sandbox returns 40109',
  ],
});
