/** Views of the engine: copies with decimals as texts and times as numbers, in the interface's spelling. */
import type { Millis } from '../../base/clock.ts';
import type { ProductType, OrderCategory } from '../../exchange/api/vocabulary.ts';
import type { BusinessType } from './command.ts';
import type { CloseReason, ExecutionType } from './event.ts';
import type {
  AccountKind,
  DeliveryStatus,
  Instrument,
  MarginMode,
  PositionMode,
  WalletType,
  SelfTradeMode,
  Side,
  TimeInForce,
} from './instrument.ts';

export type OrderStatus = 'live' | 'new' | 'partially_filled' | 'filled' | 'cancelled';

/** A price at which an order's position is closed, and the limit price to close it at. */
export interface TriggerView {
  readonly at: string;
  /** The limit price; absent for an order that closes at market. */
  readonly limit?: string;
}

export interface OrderView {
  readonly orderId: string;
  readonly clientOid: string;
  readonly uid: string;
  readonly category: OrderCategory;
  readonly symbol: string;
  readonly orderType: 'limit' | 'market';
  /** The executed side of the order: closing a long is `sell` with posSide `long`. */
  readonly side: Side;
  /** The limit price; "0" for a market order. */
  readonly price: string;
  readonly qty: string;
  /** The order's value in the quote coin on SPOT and MARGIN, "0" on futures. */
  readonly amount: string;
  readonly cumExecQty: string;
  readonly cumExecValue: string;
  /** The average price of the fills; "0" before the first one. */
  readonly avgPrice: string;
  readonly timeInForce: TimeInForce;
  readonly status: OrderStatus;
  readonly posSide: 'long' | 'short' | '';
  /** The position mode; `one_way_mode` on SPOT and MARGIN, too. */
  readonly holdMode: PositionMode;
  readonly stpMode: SelfTradeMode;
  readonly reduceOnly: 'YES' | 'NO';
  readonly feeCoin: string;
  /** The fees paid so far, positive. */
  readonly fee: string;
  /** Why the order was closed; absent while it is open. */
  readonly closeReason?: CloseReason;
  readonly executionType: ExecutionType;
  /** The take-profit and the stop-loss of what the order opens; absent without them. */
  readonly takeProfit?: TriggerView;
  readonly stopLoss?: TriggerView;
  readonly createdTime: Millis;
  readonly updatedTime: Millis;
}

export interface BillView {
  readonly billId: string;
  /** The symbol; "" for a transfer. */
  readonly symbol: string;
  readonly amount: string;
  /** The fee, zero or negative. */
  readonly fee: string;
  readonly businessType: BusinessType;
  readonly coin: string;
  readonly balance: string;
  readonly time: Millis;
}

export interface AccountView {
  readonly uid: string;
  readonly kind: AccountKind;
  readonly parent?: string;
  readonly positionModes: Readonly<Record<ProductType, PositionMode>>;
  readonly openedTime: Millis;
}

export interface WalletView {
  readonly walletType: WalletType;
  readonly coin: string;
  readonly balance: string;
  /** The amount set aside for positions and open orders. */
  readonly held: string;
  /** The available amount, at least "0". */
  readonly available: string;
  /** Profit and loss of open positions at the mark price. */
  readonly unrealised: string;
}

export interface BalanceView {
  readonly walletType: WalletType;
  readonly coin: string;
  readonly balance: string;
}

export interface TradedView {
  /** The latest time included in the sum. */
  readonly until: Millis;
  /** The traded value in the quote coin of the symbol. */
  readonly value: string;
}

export interface PositionView {
  readonly category: ProductType;
  readonly symbol: string;
  readonly marginCoin: string;
  readonly holdMode: PositionMode;
  readonly holdSide: 'long' | 'short';
  readonly size: string;
  /** The size of the position that no resting order would close. */
  readonly available: string;
  readonly entryPrice: string;
  readonly markPrice: string;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly margin: string;
  readonly unrealised: string;
  readonly openedTime: Millis;
}

/** The settings of an account in one futures symbol, and what its orders would open. */
export interface HoldingView {
  readonly category: ProductType;
  readonly symbol: string;
  readonly marginCoin: string;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly holdMode: PositionMode;
}

export interface AdlView {
  readonly symbol: string;
  readonly marginCoin: string;
  readonly holdSide: 'long' | 'short';
  /** The deleveraging rank with four decimal places: "0.1000" is rank ten of a hundred. */
  readonly adlRank: string;
}

export interface MarketView {
  readonly instrument: Instrument;
  /** The price of the engine's last trade. */
  readonly lastPrice?: string;
  readonly markPrice?: string;
  readonly indexPrice?: string;
  readonly fundingRate?: string;
  readonly nextFundingTime?: Millis;
  /** The total of all long positions, in base coin. */
  readonly openInterest: string;
  readonly deliveryStatus: DeliveryStatus;
  readonly bid?: DepthLevel;
  readonly ask?: DepthLevel;
}

export interface DepthLevel {
  readonly price: string;
  readonly size: string;
}

export interface DepthView {
  /** Buy levels, best first. */
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

export interface TradeView {
  readonly tradeId: string;
  /** The sequence number of a trade per market, from 1, without gaps. */
  readonly sequence: number;
  readonly price: string;
  readonly size: string;
  /** The side of the trade's taker. */
  readonly side: Side;
  readonly time: Millis;
}

/** Sums of some trades, in the instrument's smallest units. */
export interface TradeSums {
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly lots: number;
  /** The sum of price × size, in ticks × lots. */
  readonly turnover: number;
}

/** A time range with inclusive bounds. */
export interface TimeRange {
  readonly from: Millis;
  readonly to: Millis;
}

export interface ReserveView {
  readonly productType: ProductType;
  readonly coin: string;
  readonly balance: string;
}

export interface ReserveRecordView {
  readonly amount: string;
  readonly balance: string;
  readonly time: Millis;
}

/** One account of the ledger; internal accounts of the exchange have no uid. */
export interface LedgerView {
  /**
   * The account's name, such as `wallet:1001:USDT-FUTURES`, `fees`, `clearing:BTCUSDT`,
   * `reserve:USDT-FUTURES`.
   */
  readonly name: string;
  readonly coin: string;
  readonly balance: string;
}

/** A ledger movement between two accounts. */
export interface TransferView {
  readonly from: string;
  readonly to: string;
  readonly coin: string;
  readonly amount: string;
  readonly because: string;
  readonly time: Millis;
}
