/** All operations under the names playbooks use: the 18 of the interface in its order, then the companions. */
import { companions } from '../companions/index.ts';
import type { OrderRead } from '../keyed-write.ts';
import type { Operation, StateFields } from '../operation.ts';
import type { Infer } from '../schema.ts';
import { createSubAccount } from './create-sub-account.ts';
import { getInterestRate } from './get-interest-rate.ts';
import { getRiskReserve } from './get-risk-reserve.ts';
import { listAdlRanks } from './list-adl-ranks.ts';
import { listAssets } from './list-assets.ts';
import { listBills } from './list-bills.ts';
import { listCustomers } from './list-customers.ts';
import { listDiscountRates } from './list-discount-rates.ts';
import { listFills } from './list-fills.ts';
import { listHistoryOrders } from './list-history-orders.ts';
import { listLoanOrders } from './list-loan-orders.ts';
import { listLoanSymbols } from './list-loan-symbols.ts';
import { listOpenOrders } from './list-open-orders.ts';
import { listP2pRecords } from './list-p2p-records.ts';
import { listTickers } from './list-tickers.ts';
import { listTradeVolume } from './list-trade-volume.ts';
import { placeOrder } from './place-order.ts';
import { setAllLeverage } from './set-all-leverage.ts';

/** The 18 operations of the interface. */
const numbered = {
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
} as const;

export const operations = { ...numbered, ...companions } as const;

export type OperationName = keyof typeof operations;
export type Input<N extends OperationName> = Infer<(typeof operations)[N]['input']>;
export type Output<N extends OperationName> = Infer<(typeof operations)[N]['output']>;

/** An object as it came: each declared field may be anything, or absent. */
export type Carried<T> = { readonly [K in keyof T]?: unknown };

/**
 * A response after it is read: its list and its cursor are as declared, and its rows are objects. Other
 * fields may have values of any type, whatever the interface says: see `Output`.
 */
export type AnswerOf<N extends OperationName> = AnswerIn<Output<N>>;

type AnswerIn<O> = O extends readonly (infer R)[]
  ? readonly Carried<R>[]
  : O extends { readonly list: readonly (infer R)[]; readonly cursor: string }
    ? { readonly list: readonly Carried<R>[]; readonly cursor: string }
    : O extends { readonly bills: readonly (infer R)[] }
      ? { readonly bills: readonly Carried<R>[]; readonly endId: string }
      : O extends { readonly entrustedList: readonly (infer R)[] }
        ? { readonly entrustedList: readonly Carried<R>[]; readonly endId: string }
        : O extends { readonly list: readonly (infer R)[] }
          ? { readonly list: readonly Carried<R>[] }
          : O extends object
            ? Carried<O>
            : unknown;

/** All names: those of the interface in its order, then the companions. */
export const operationNames: readonly OperationName[] = Object.keys(operations).filter(isOperation);

/** The names of the interface, in its order. */
export const interfaceNames: readonly OperationName[] = operationNames.filter(
  (name) => !isCompanion(name),
);

/** The names of the companions: operations that complete both account families. */
export const companionNames: readonly OperationName[] = operationNames.filter(isCompanion);

/** Whether an operation is none of the interface, but completes an account family. */
export function isCompanion(name: OperationName): boolean {
  return Object.hasOwn(companions, name);
}

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** The name of an operation in the OpenAPI description. */
export const operationIdOf = (name: OperationName): string => name.replaceAll(/[/-]/g, '_');

/** An operation without its own input and output types. */
export function operationOf(name: OperationName): Operation {
  return operations[name];
}

/** The state that an operation sets; undefined for every other name. */
export function stateSetBy(name: string | undefined): StateFields | undefined {
  return name !== undefined && isOperation(name) ? operationOf(name).sets : undefined;
}

/** The read of the order that an operation ends; undefined for every other name. */
export function endedBy(name: string | undefined): OrderRead | undefined {
  return name !== undefined && isOperation(name) ? operationOf(name).ends : undefined;
}
