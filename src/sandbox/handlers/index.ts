/** The sandbox's implementation of all operations; a missing one does not compile. */
import type { Input, OperationName, Output } from '../../exchange/api/operations/index.ts';
import {
  createSubAccount,
  listLoanOrders,
  listLoanSymbols,
  listP2pRecords,
} from './main-account.ts';
import { listAssets, listCustomers, listTradeVolume } from './agent.ts';
import {
  getClassicAccount,
  getUnifiedSettings,
  setClassicLeverage,
  setUnifiedLeverage,
} from './account-settings.ts';
import {
  cancelClassicOrder,
  getClassicOrder,
  listClosedClassicOrders,
  listOpenClassicOrders,
} from './classic-orders.ts';
import { listClassicPositions, listUnifiedPositions } from './position-lists.ts';
import { cancelUnifiedOrder, getUnifiedOrder, placeUnifiedOrder } from './unified-orders.ts';
import { listBills } from './bills.ts';
import type { Context, Handler } from './handler.ts';
import { listFills } from './fills.ts';
import { listHistoryOrders, listOpenOrders } from './order-lists.ts';
import { getInterestRate, getRiskReserve, listDiscountRates } from './rates.ts';
import { listTickers } from './tickers.ts';
import { listAdlRanks, placeOrder, setAllLeverage } from './trading.ts';

type Handlers = { readonly [N in OperationName]: Handler<N> };

const handlers: Handlers = {
  'loan/list-symbols': listLoanSymbols,
  'order/list-open': listOpenOrders,
  'order/list-history': listHistoryOrders,
  'agent/list-trade-volume': listTradeVolume,
  'agent/list-customers': listCustomers,
  'futures/place-order': placeOrder,
  'loan/list-orders': listLoanOrders,
  'futures/list-bills': listBills,
  'agent/list-assets': listAssets,
  'futures/list-adl-ranks': listAdlRanks,
  'market/list-tickers': listTickers,
  'market/get-risk-reserve': getRiskReserve,
  'market/list-fills': listFills,
  'tax/list-p2p': listP2pRecords,
  'futures/set-all-leverage': setAllLeverage,
  'margin/get-interest-rate': getInterestRate,
  'market/list-discount-rates': listDiscountRates,
  'account/create-sub': createSubAccount,
  'futures/get-order': getClassicOrder,
  'futures/list-open-orders': listOpenClassicOrders,
  'futures/list-closed-orders': listClosedClassicOrders,
  'futures/cancel-order': cancelClassicOrder,
  'futures/list-positions': listClassicPositions,
  'futures/get-account': getClassicAccount,
  'futures/set-leverage': setClassicLeverage,
  'trade/place-order': placeUnifiedOrder,
  'trade/get-order': getUnifiedOrder,
  'trade/cancel-order': cancelUnifiedOrder,
  'trade/list-positions': listUnifiedPositions,
  'account/get-settings': getUnifiedSettings,
  'account/set-leverage': setUnifiedLeverage,
};

/** Executes an operation. @throws Refusal when the exchange refuses it */
export function handle<N extends OperationName>(
  name: N,
  input: Input<N>,
  context: Context,
): Output<N> {
  return handlers[name](input, context);
}
