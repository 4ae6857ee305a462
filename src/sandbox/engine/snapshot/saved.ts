/** The state as JSON: integers stay numbers, money becomes text, links become names. */
import type { Millis } from '../../../base/clock.ts';
import type { ProductType, OrderCategory } from '../../../exchange/api/vocabulary.ts';
import type { BusinessType, Settings } from '../command.ts';
import type { CloseReason, ExecutionType } from '../event.ts';
import type {
  AccountKind,
  DeliveryStatus,
  Instrument,
  InstrumentCategory,
  MarginMode,
  PositionMode,
  WalletType,
  SelfTradeMode,
  TimeInForce,
} from '../instrument.ts';
import type { PositionModes } from '../model/account.ts';
import type { Because } from '../model/ledger.ts';
import type { HoldSide, Intent } from '../model/order-traits.ts';
import type { Presets } from '../model/order.ts';
import type { OrderStatus } from '../view.ts';

export interface SavedState {
  readonly now: Millis;
  readonly settings: Settings;
  readonly counts: Readonly<Record<'order' | 'bill' | 'trade' | 'position' | 'guard', number>>;
  readonly accounts: readonly SavedAccount[];
  readonly markets: readonly SavedMarket[];
  /** The exchange's internal accounts: name, coin, balance. */
  readonly house: readonly (readonly [string, string, string])[];
  /** Wallets: uid, walletType, coin, balance. */
  readonly wallets: readonly (readonly [string, WalletType, string, string])[];
  /** The wallets with their balances at the last refresh of reports; absent in older worlds. */
  readonly reported?: readonly (readonly [string, WalletType, string, string])[];
  readonly transfers: readonly SavedTransfer[];
  readonly reserves: readonly SavedReserve[];
  readonly holdings: readonly SavedHolding[];
  readonly positions: readonly SavedPosition[];
  readonly orders: readonly SavedOrder[];
  /** Running numbers of delayed orders, with the times when they are matched. */
  readonly arrivals: readonly (readonly [number, Millis])[];
  readonly guards: readonly SavedGuard[];
  readonly bills: readonly SavedBills[];
}

export interface SavedAccount {
  readonly uid: string;
  readonly kind: AccountKind;
  readonly parent: string | null;
  readonly openedAt: Millis;
  readonly positionModes: PositionModes;
  /** Traded value, by the last time each sum covers; absent in older worlds. */
  readonly traded?: readonly (readonly [Millis, string])[];
}

export interface SavedMarket {
  readonly instrument: Instrument;
  readonly mark: number | null;
  readonly index: number | null;
  readonly last: number | null;
  readonly fundingRate: string;
  readonly nextFunding: Millis | null;
  readonly deliveryStatus: DeliveryStatus;
  readonly nextPhase: Millis | null;
  readonly sequence: number;
  /** Public trades: running number, ticks, lots, whether the taker bought, time; oldest first. */
  readonly trades: readonly (readonly [number, number, number, boolean, Millis])[];
  /** Running numbers of resting orders, best price first, oldest first within a price. */
  readonly bids: readonly number[];
  readonly asks: readonly number[];
}

/** A ledger movement: from, to, coin, amount, reason, time; oldest first. */
export type SavedTransfer = readonly [string, string, string, string, Because, Millis];

export interface SavedReserve {
  readonly productType: ProductType;
  readonly coin: string;
  /** Changes of a reserve: amount, balance, time. */
  readonly records: readonly (readonly [string, string, Millis])[];
}

/** A holding: uid, category, symbol, leverage, margin mode. */
export type SavedHolding = readonly [string, InstrumentCategory, string, number, MarginMode];

export interface SavedPosition {
  readonly count: number;
  readonly uid: string;
  readonly category: InstrumentCategory;
  readonly symbol: string;
  readonly side: HoldSide;
  readonly openedAt: Millis;
  readonly lots: number;
  readonly entryValue: string;
  readonly margin: string;
}

/**
 * An order: fields in the order of the names in `saved-orders.ts`, flat because there may be a
 * million.
 */
export type SavedOrder = readonly [
  count: number,
  uid: string,
  category: OrderCategory,
  symbol: string,
  intent: Intent,
  holdSide: HoldSide,
  isBuy: boolean,
  isMarket: boolean,
  ticks: number,
  lots: number,
  force: TimeInForce,
  stpMode: SelfTradeMode,
  clientOid: string | null,
  presets: Presets | null,
  executionType: ExecutionType,
  holdMode: PositionMode,
  marginMode: MarginMode,
  at: Millis,
  remaining: number,
  holdTicks: number,
  status: OrderStatus,
  closeReason: CloseReason | null,
  executedValue: string,
  fee: string,
  updatedAt: Millis,
];

export interface SavedGuard {
  readonly count: number;
  readonly orderCount: number;
  readonly position: number;
  readonly presets: Presets;
  readonly lots: number;
}

export interface SavedBills {
  readonly uid: string;
  readonly walletType: WalletType;
  /** Bills, oldest first. */
  readonly rows: readonly SavedBill[];
}

/** A bill: running number, symbol, amount, fee, type, coin, balance, time. */
export type SavedBill = readonly [
  number,
  string,
  string,
  string,
  BusinessType,
  string,
  string,
  Millis,
];
