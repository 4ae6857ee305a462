/** An order in the engine: its request and its outcome. */
import type { Millis } from '../../../base/clock.ts';
import type { OrderCategory } from '../../../exchange/api/vocabulary.ts';
import type { Level } from '../book/level.ts';
import type { MatchOrder } from '../book/match.ts';
import type { CloseReason, ExecutionType } from '../event.ts';
import { idText } from '../ids.ts';
import type { MarginMode, PositionMode, SelfTradeMode, TimeInForce } from '../instrument.ts';
import type { Money } from '../money.ts';
import type { OrderStatus } from '../view.ts';
import type { Account } from './account.ts';
import type { Holding } from './holding.ts';
import type { HoldSide, Intent, OrderTraits } from './order-traits.ts';
import type { Market } from './market.ts';

/** Trigger prices to set when an opening order is filled, in ticks. */
export interface Presets {
  readonly takeProfit?: TriggerPrice;
  readonly stopLoss?: TriggerPrice;
}

export interface TriggerPrice {
  readonly at: number;
  /** The limit price to close at; absent: close at market. */
  readonly limit?: number;
}

export interface OrderTerms {
  readonly count: number;
  readonly owner: Account;
  /** The holding with its margin and positions; absent on spot. */
  readonly holding: Holding | undefined;
  readonly traits: OrderTraits;
  /** The limit price; 0 for a market order. */
  readonly ticks: number;
  readonly lots: number;
  /** The clientOid, if any. */
  readonly ownClientOid: string | undefined;
  readonly presets: Presets | undefined;
  readonly at: Millis;
}

const dayMs = 86_400_000;

/** An order. Small, because there may be a million: shared properties are in its traits. */
export class Order implements MatchOrder<Order>, OrderTerms, OrderTraits {
  readonly count: number;
  readonly owner: Account;
  readonly holding: Holding | undefined;
  readonly traits: OrderTraits;
  readonly ticks: number;
  readonly lots: number;
  readonly ownClientOid: string | undefined;
  readonly presets: Presets | undefined;
  /**
   * The creation time as small integers: all milliseconds in one number would be another object.
   */
  private readonly day: number;
  private readonly millisOfDay: number;
  /** Lots not yet executed; unchanged when the order is canceled. */
  remaining: number;
  /** The price at which the order's open part is valued for margin. */
  holdTicks: number;
  status: OrderStatus = 'live';
  closeReason: CloseReason | undefined = undefined;
  /** The executed value in the quote coin. */
  executedValue: Money = 0n;
  fee: Money = 0n;
  level: Level<Order> | undefined = undefined;
  ahead: Order | undefined = undefined;
  behind: Order | undefined = undefined;
  /** Neighbours among the account's open orders. */
  older: Order | undefined = undefined;
  newer: Order | undefined = undefined;
  private millisToChange = 0;

  constructor(terms: OrderTerms) {
    this.count = terms.count;
    this.owner = terms.owner;
    this.holding = terms.holding;
    this.traits = terms.traits;
    this.ticks = terms.ticks;
    this.lots = terms.lots;
    this.ownClientOid = terms.ownClientOid;
    this.presets = terms.presets;
    this.day = Math.floor(terms.at / dayMs);
    this.millisOfDay = terms.at - this.day * dayMs;
    this.remaining = terms.lots;
    this.holdTicks = terms.ticks;
  }

  /** Adds the value of one fill to the order and to its account's reports. */
  addValue(value: Money, at: Millis): void {
    this.executedValue += value;
    if (!this.owner.isMaker) this.owner.traded.add(at, value);
  }

  get id(): string {
    return idText('order', this.count);
  }

  get clientOid(): string {
    return this.ownClientOid ?? idText('client', this.count);
  }

  get market(): Market {
    return this.traits.market;
  }

  get category(): OrderCategory {
    return this.traits.category;
  }

  get intent(): Intent {
    return this.traits.intent;
  }

  get holdSide(): HoldSide {
    return this.traits.holdSide;
  }

  get isBuy(): boolean {
    return this.traits.isBuy;
  }

  get force(): TimeInForce {
    return this.traits.force;
  }

  get stpMode(): SelfTradeMode {
    return this.traits.stpMode;
  }

  get executionType(): ExecutionType {
    return this.traits.executionType;
  }

  get marginMode(): MarginMode {
    return this.traits.marginMode;
  }

  get isMarket(): boolean {
    return this.ticks === 0;
  }

  /** The position mode of the order's account when the order was created. */
  get holdMode(): PositionMode {
    return this.intent === 'open' || this.intent === 'close' ? 'hedge_mode' : 'one_way_mode';
  }

  /** The worst price that the order accepts. */
  get limit(): number {
    if (!this.isMarket) return this.ticks;
    return this.isBuy ? Infinity : 0;
  }

  get isOpen(): boolean {
    return this.status !== 'filled' && this.status !== 'cancelled';
  }

  get executedLots(): number {
    return this.lots - this.remaining;
  }

  /** Whether the order can only reduce a position. */
  get isCloser(): boolean {
    return this.intent === 'reduce' || this.intent === 'close';
  }

  get at(): Millis {
    return this.day * dayMs + this.millisOfDay;
  }

  get updatedAt(): Millis {
    return this.at + this.millisToChange;
  }

  set updatedAt(now: Millis) {
    this.millisToChange = now - this.at;
  }
}
