/** An order as the engine keeps it: what was asked, and what became of it. */
import type { Millis } from '../../../base/clock.ts';
import type { OrderCategory } from '../../../contract/vocabulary.ts';
import type { Level } from '../book/level.ts';
import type { MatchOrder } from '../book/match.ts';
import type { CloseReason, ExecutionType } from '../event.ts';
import { idText } from '../ids.ts';
import type { MarginMode, PositionMode, SelfTradeMode, TimeInForce } from '../instrument.ts';
import type { Money } from '../money.ts';
import type { OrderStatus } from '../view.ts';
import type { Account } from './account.ts';
import type { Holding } from './holding.ts';
import type { Market } from './market.ts';

export type HoldSide = 'long' | 'short';

/**
 * What an order does to a position. One-way: `net`, or `reduce` with reduceOnly. Hedge: `open`
 * or `close`. Spot: `none`.
 */
export type Intent = 'none' | 'net' | 'reduce' | 'open' | 'close';

/** Trigger prices to arm when an opening order is filled, in ticks. */
export interface Presets {
  readonly takeProfit?: TriggerPrice;
  readonly stopLoss?: TriggerPrice;
}

export interface TriggerPrice {
  readonly at: number;
  /** The limit to close at; at market when absent. */
  readonly limit?: number;
}

export interface OrderTerms {
  readonly count: number;
  readonly owner: Account;
  readonly market: Market;
  readonly category: OrderCategory;
  /** Where its margin and positions lie; absent on spot. */
  readonly holding: Holding | undefined;
  readonly intent: Intent;
  /** The side of the position it opens or, as a closer, closes. */
  readonly holdSide: HoldSide;
  /** The executed side. */
  readonly isBuy: boolean;
  readonly isMarket: boolean;
  /** The limit; 0 of a market order. */
  readonly ticks: number;
  readonly lots: number;
  readonly force: TimeInForce;
  readonly stpMode: SelfTradeMode;
  /** The id its account chose, if any. */
  readonly ownClientOid: string | undefined;
  readonly presets: Presets | undefined;
  readonly executionType: ExecutionType;
  readonly holdMode: PositionMode;
  readonly marginMode: MarginMode;
  readonly at: Millis;
}

export class Order implements MatchOrder<Order>, OrderTerms {
  readonly count: number;
  readonly owner: Account;
  readonly market: Market;
  readonly category: OrderCategory;
  readonly holding: Holding | undefined;
  readonly intent: Intent;
  readonly holdSide: HoldSide;
  readonly isBuy: boolean;
  readonly isMarket: boolean;
  readonly ticks: number;
  readonly lots: number;
  readonly force: TimeInForce;
  readonly stpMode: SelfTradeMode;
  readonly ownClientOid: string | undefined;
  readonly presets: Presets | undefined;
  readonly executionType: ExecutionType;
  readonly holdMode: PositionMode;
  readonly marginMode: MarginMode;
  readonly at: Millis;
  /** Lots not yet executed; they stay here when the order is cancelled. */
  remaining: number;
  /** The price its open part is counted at for margin. */
  holdTicks: number;
  status: OrderStatus = 'live';
  closeReason: CloseReason | undefined = undefined;
  /** In the quote coin. */
  executedValue: Money = 0n;
  fee: Money = 0n;
  updatedAt: Millis;
  level: Level<Order> | undefined = undefined;
  ahead: Order | undefined = undefined;
  behind: Order | undefined = undefined;
  /** Neighbours among the account's open orders. */
  older: Order | undefined = undefined;
  newer: Order | undefined = undefined;

  constructor(terms: OrderTerms) {
    this.count = terms.count;
    this.owner = terms.owner;
    this.market = terms.market;
    this.category = terms.category;
    this.holding = terms.holding;
    this.intent = terms.intent;
    this.holdSide = terms.holdSide;
    this.isBuy = terms.isBuy;
    this.isMarket = terms.isMarket;
    this.ticks = terms.ticks;
    this.lots = terms.lots;
    this.force = terms.force;
    this.stpMode = terms.stpMode;
    this.ownClientOid = terms.ownClientOid;
    this.presets = terms.presets;
    this.executionType = terms.executionType;
    this.holdMode = terms.holdMode;
    this.marginMode = terms.marginMode;
    this.at = terms.at;
    this.remaining = terms.lots;
    this.holdTicks = terms.ticks;
    this.updatedAt = terms.at;
  }

  get id(): string {
    return idText('order', this.count);
  }

  get clientOid(): string {
    return this.ownClientOid ?? idText('client', this.count);
  }

  /** The worst price it takes. */
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

  /** Whether it only ever makes a position smaller. */
  get isCloser(): boolean {
    return this.intent === 'reduce' || this.intent === 'close';
  }
}
