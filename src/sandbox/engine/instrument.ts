/** The definition of a symbol: steps, sizes, leverage, tiers, fees and delivery. */
import type { Millis } from '../../base/clock.ts';
import type {
  deliveryStatuses,
  ProductType,
  OrderCategory,
} from '../../exchange/api/vocabulary.ts';
import type { SymbolTerms } from '../../exchange/api/terms.ts';

/** The market category of a symbol. `MARGIN` orders trade in the book of the `SPOT` symbol. */
export type InstrumentCategory = 'SPOT' | ProductType;

/** The phase of a delivery symbol; `''` for a symbol without delivery. */
export type DeliveryStatus = (typeof deliveryStatuses)[number] | '';

/**
 * The definition of a symbol. All decimals are texts in plain notation. The margin coin, in which profit and
 * fees are, too, is the quote coin on SPOT, and the base coin on COIN-FUTURES.
 */
export interface Instrument extends SymbolTerms {
  readonly category: InstrumentCategory;
  readonly symbol: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly leverageMax: number;
  readonly leverageInitial: number;
  /**
   * Maintenance tiers by position value in the quote coin; the first starts at "0"; [] on SPOT.
   */
  readonly tiers: readonly MaintenanceTier[];
  /** Fee ratios such as "0.0002". */
  readonly makerFee: string;
  readonly takerFee: string;
  /** The maximum distance of a limit price from the mark price, as a ratio; absent: no limit. */
  readonly priceBand?: string;
  readonly delivery?: Delivery;
}

export interface MaintenanceTier {
  /** The lower bound of the tier, a position value in the quote coin. */
  readonly from: string;
  /** The maintenance margin as a ratio of the position's value. */
  readonly rate: string;
}

export interface Delivery {
  /** The time when trading starts; before it the symbol is configured and not traded. */
  readonly startTime: Millis;
  /**
   * The delivery time: orders that open are refused from ten minutes before it, trading ends at it,
   * and positions settle a minute after it.
   */
  readonly time: Millis;
}

/** The wallet of a coin. The S-product types are the demo wallets. */
export type WalletType = OrderCategory | 'SUSDT-FUTURES' | 'SCOIN-FUTURES' | 'SUSDC-FUTURES';

export type Side = 'buy' | 'sell';
export type PositionMode = 'one_way_mode' | 'hedge_mode';
export type MarginMode = 'isolated' | 'crossed';
export type TimeInForce = 'gtc' | 'ioc' | 'fok' | 'post_only';
export type SelfTradeMode = 'none' | 'cancel_taker' | 'cancel_maker' | 'cancel_both';

/**
 * `maker` and `house` accounts quote the market: their closed orders and bills are not kept, they
 * have no limit of open orders, and they are never liquidated.
 */
export type AccountKind = 'main' | 'virtual-sub' | 'agent' | 'maker' | 'house';
