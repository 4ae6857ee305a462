/** The exchange as a pure state machine: commands and time in, replies and events out. */
import type { Millis } from '../../base/clock.ts';
import type { ProductType, OrderCategory } from '../../exchange/api/vocabulary.ts';
import type { Command, CommandKind, Reply, Settings } from './command.ts';
import type { EngineEvent } from './event.ts';
import type { InstrumentCategory, WalletType } from './instrument.ts';
import type { SavedState } from './snapshot/saved.ts';
import type {
  AccountView,
  AdlView,
  BalanceView,
  BillView,
  DepthView,
  HoldingView,
  LedgerView,
  MarketView,
  OrderView,
  PositionView,
  ReserveRecordView,
  ReserveView,
  TimeRange,
  TradedView,
  TradeSums,
  TradeView,
  TransferView,
  WalletView,
} from './view.ts';

export interface Applied<K extends CommandKind = CommandKind> {
  readonly reply: Reply<K>;
  readonly events: readonly EngineEvent[];
}

/** The whole state as JSON of a named version. */
export interface Snapshot {
  readonly version: 1;
  readonly state: SavedState;
}

/** A page of a list starts below this id (exclusive, any digits); default: at the newest row. */
export type Before = string | undefined;

export interface ClosedOptions {
  readonly before?: Before;
  readonly since?: Millis;
}

/**
 * The engine. Its lists create rows one at a time, newest first: stop reading when there are
 * enough.
 */
export interface Engine {
  /** Settles what is due by `now`, then executes the command. Time never goes back. */
  apply<K extends CommandKind>(command: Command<K>, now: Millis): Applied<K>;
  /** The latest time the engine has seen. */
  time(): Millis;
  settings(): Settings;
  /** Digest of the state: equal commands give equal hashes. */
  hash(): string;
  snapshot(): Snapshot;
  /** Descriptions of violated invariants; always empty. */
  invariants(): readonly string[];

  account(uid: string): AccountView | undefined;
  accounts(): Iterable<AccountView>;
  wallets(uid: string): readonly WalletView[];
  /** Balances at the last refresh before a time that is not in the past. */
  reportedBalances(uid: string, now: Millis): readonly BalanceView[];
  /** The value that an account traded between two refreshes, oldest first. */
  tradedValues(uid: string): Iterable<TradedView>;
  positions(uid: string): readonly PositionView[];
  holdings(uid: string): readonly HoldingView[];
  adlRanks(uid: string, productType: ProductType): readonly AdlView[];
  order(orderId: string): OrderView | undefined;
  orderByClientOid(uid: string, clientOid: string): OrderView | undefined;
  openOrders(uid: string, before?: Before): Iterable<OrderView>;
  /**
   * The closed orders of an account.
   * @param options `before` an id; `since` a time: created or closed from then on
   */
  closedOrders(uid: string, options?: ClosedOptions): Iterable<OrderView>;
  bills(uid: string, walletType: WalletType, before?: Before): Iterable<BillView>;

  market(category: InstrumentCategory, symbol: string): MarketView | undefined;
  markets(): Iterable<MarketView>;
  depth(category: InstrumentCategory, symbol: string, levels: number): DepthView;
  /**
   * The trades of a symbol, newest first.
   * @param until no trade after it; found by binary search
   */
  trades(
    category: InstrumentCategory,
    symbol: string,
    before?: Before,
    until?: Millis,
  ): Iterable<TradeView>;
  /** Sums of the kept trades of a range; undefined without trades. */
  tradeSums(category: InstrumentCategory, symbol: string, span: TimeRange): TradeSums | undefined;
  reserve(productType: ProductType, coin: string): ReserveView;
  reserveRecords(productType: ProductType, coin: string): Iterable<ReserveRecordView>;
  ledger(): Iterable<LedgerView>;
  /** The latest ledger movements; older ones are dropped. */
  transfers(): Iterable<TransferView>;
  /** Numbers of an account's open orders, on futures, and on spot and margin. */
  openCounts(uid: string): { readonly futures: number; readonly spot: number };
}

/** The market category of an order category: MARGIN orders trade in SPOT books. */
export function marketOf(category: OrderCategory): InstrumentCategory {
  return category === 'MARGIN' ? 'SPOT' : category;
}
