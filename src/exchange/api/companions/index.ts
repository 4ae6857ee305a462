/** The 13 companions: operations beside the interface that complete both account families, from public documents. */
import { cancelOrder as cancelClassicOrder } from './classic/cancel-order.ts';
import { getAccount } from './classic/get-account.ts';
import { getOrder as getClassicOrder } from './classic/get-order.ts';
import { listClosedOrders } from './classic/list-closed-orders.ts';
import { listOpenOrders } from './classic/list-open-orders.ts';
import { listPositions as listClassicPositions } from './classic/list-positions.ts';
import { setLeverage as setClassicLeverage } from './classic/set-leverage.ts';
import { cancelOrder } from './unified/cancel-order.ts';
import { getOrder } from './unified/get-order.ts';
import { getSettings } from './unified/get-settings.ts';
import { listPositions } from './unified/list-positions.ts';
import { placeOrder } from './unified/place-order.ts';
import { setLeverage } from './unified/set-leverage.ts';

export const companions = {
  'futures/get-order': getClassicOrder,
  'futures/list-open-orders': listOpenOrders,
  'futures/list-closed-orders': listClosedOrders,
  'futures/cancel-order': cancelClassicOrder,
  'futures/list-positions': listClassicPositions,
  'futures/get-account': getAccount,
  'futures/set-leverage': setClassicLeverage,
  'trade/place-order': placeOrder,
  'trade/get-order': getOrder,
  'trade/cancel-order': cancelOrder,
  'trade/list-positions': listPositions,
  'account/get-settings': getSettings,
  'account/set-leverage': setLeverage,
} as const;
