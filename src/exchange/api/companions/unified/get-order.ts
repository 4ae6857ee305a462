/** Looks up one order of a unified account. */
import { second } from '../../../../base/clock.ts';
import { operation } from '../../operation.ts';
import { foundOrder } from '../../resources/order.ts';
import { record } from '../../schema.ts';
import { namedOrder, orderNames } from '../order-names.ts';

export const getOrder = operation({
  title: 'Get order of a unified account',
  method: 'GET',
  path: '/api/v3/trade/order-info',
  access: 'signed',
  permission: 'trade-read',
  limit: { permits: 20, per: second, of: 'uid' },
  effect: 'read',
  requiredWhen: namedOrder,
  input: record(orderNames),
  output: foundOrder,
  doubts: [
    'which code an unknown order returns: 25204 is reported; the sandbox returns it',
    'execType: not shown for this operation; recorded answers have it, and the sandbox returns it',
  ],
});
