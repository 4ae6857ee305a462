/** An account's state in one futures symbol: positions, resting orders, and their margin. */
import type { Millis } from '../../../base/clock.ts';
import type { MarginMode } from '../instrument.ts';
import { partOf, quotient, type Money } from '../money.ts';
import type { Account } from './account.ts';
import type { Way } from './ledger.ts';
import type { HoldSide } from './order-traits.ts';
import type { LeverageRates, Market } from './market.ts';
import type { Order } from './order.ts';
import { Tally } from './tally.ts';
import type { TriggerOrder } from './triggers.ts';
import type { Wallet } from './wallet.ts';

/** The sums of open orders that would open a position on one side. */
export class Opening {
  lots = 0;
  /** The value of these orders in points of the contract. */
  points = 0;
}

const noOrders: ReadonlySet<Order> = new Set();
const noGuards: ReadonlySet<TriggerOrder> = new Set();

/**
 * A position of an account on one side of a symbol; in one-way mode only one side exists at a time.
 */
export class Position {
  readonly count: number;
  readonly holding: Holding;
  readonly side: HoldSide;
  readonly openedAt: Millis;
  lots = 0;
  closerLots = 0;
  private readonly cost = new Tally();
  private readonly aside = new Tally();
  private closing: Set<Order> | undefined = undefined; // created on demand: most positions have none
  private guarding: Set<TriggerOrder> | undefined = undefined;

  constructor(about: { count: number; holding: Holding; side: HoldSide; openedAt: Millis }) {
    this.count = about.count;
    this.holding = about.holding;
    this.side = about.side;
    this.openedAt = about.openedAt;
  }

  get isLong(): boolean {
    return this.side === 'long';
  }

  /** The opening cost of the position's lots, in the quote coin. */
  get entryValue(): Money {
    return this.cost.amount;
  }

  set entryValue(amount: Money) {
    this.cost.amount = amount;
  }

  get roughEntry(): number {
    return this.cost.rough;
  }

  /** The margin set aside for the position. */
  get margin(): Money {
    return this.aside.amount;
  }

  set margin(amount: Money) {
    this.aside.amount = amount;
  }

  get roughMargin(): number {
    return this.aside.rough;
  }

  /** Open orders that close the position, oldest first. */
  get closers(): ReadonlySet<Order> {
    return this.closing ?? noOrders;
  }

  addCloser(order: Order): void {
    this.closing ??= new Set();
    this.closing.add(order);
  }

  removeCloser(order: Order): void {
    this.closing?.delete(order);
  }

  /** Take-profits and stop-losses of the position that wait for their price. */
  get guards(): ReadonlySet<TriggerOrder> {
    return this.guarding ?? noGuards;
  }

  addGuard(guard: TriggerOrder): void {
    this.guarding ??= new Set();
    this.guarding.add(guard);
  }

  removeGuard(guard: TriggerOrder): void {
    this.guarding?.delete(guard);
  }

  /** Lots of the position that no resting order would close. */
  get freeLots(): number {
    return this.lots - this.closerLots;
  }
}

export class Holding {
  readonly account: Account;
  readonly market: Market;
  readonly wallet: Wallet;
  /** The ledger accounts of the holding's profits and fees. */
  readonly profits: Way;
  readonly fees: Way;
  marginMode: MarginMode = 'crossed';
  long: Position | undefined = undefined;
  short: Position | undefined = undefined;
  readonly openingLong = new Opening();
  readonly openingShort = new Opening();
  /** The number of open orders of any kind. */
  openOrders = 0;
  private known: Money | undefined = undefined;
  private times: number;
  private atLeverage: LeverageRates;

  constructor(account: Account, market: Market, wallet: Wallet) {
    this.account = account;
    this.market = market;
    this.wallet = wallet;
    this.profits = { from: market.clearing, to: wallet.ledger };
    this.fees = { from: wallet.ledger, to: market.fees };
    this.times = market.instrument.leverageInitial;
    this.atLeverage = market.ratesAt(this.times);
  }

  get leverage(): number {
    return this.times;
  }

  set leverage(times: number) {
    this.times = times;
    this.atLeverage = this.market.ratesAt(times);
  }

  get rates(): LeverageRates {
    return this.atLeverage;
  }

  get isOneWay(): boolean {
    const { category } = this.market.instrument;
    return category === 'SPOT' || this.account.positionModes[category] === 'one_way_mode';
  }

  get isEmpty(): boolean {
    return this.long === undefined && this.short === undefined && this.openOrders === 0;
  }

  position(side: HoldSide): Position | undefined {
    return side === 'long' ? this.long : this.short;
  }

  positions(): Position[] {
    return [this.long, this.short].filter((position) => position !== undefined);
  }

  opening(side: HoldSide): Opening {
    return side === 'long' ? this.openingLong : this.openingShort;
  }

  /**
   * The holding's part of the wallet's held amount: margin of positions, margin and fees of open
   * orders.
   */
  get held(): Money {
    this.known ??= heldFor(this, { long: this.openingLong, short: this.openingShort });
    return this.known;
  }

  /**
   * Reports that orders, positions or leverage changed: the held amount is recomputed on demand.
   */
  changed(): void {
    this.known = undefined;
    this.wallet.changed();
  }
}

export function opposite(side: HoldSide): HoldSide {
  return side === 'long' ? 'short' : 'long';
}

/** The initial margin of a value at the holding's leverage. */
export function initialMargin(holding: Holding, notional: Money): Money {
  return quotient(notional, BigInt(holding.leverage), 'ceil');
}

/** The held amount of a holding's positions and these orders. */
export function heldFor(
  holding: Holding,
  { long, short }: Readonly<Record<HoldSide, Opening>>,
): Money {
  let held = openingCost(holding, 'long', long) + openingCost(holding, 'short', short);
  if (holding.long !== undefined) held += holding.long.margin;
  if (holding.short !== undefined) held += holding.short.margin;
  return held;
}

/**
 * Margin and opening fees for orders that would open a side. In one-way mode they first close the
 * opposite position; that part needs no margin.
 */
export function openingCost(holding: Holding, side: HoldSide, { lots, points }: Opening): Money {
  if (lots === 0) return 0n;
  const against = holding.isOneWay ? (holding.position(opposite(side))?.lots ?? 0) : 0;
  if (against >= lots) return 0n;
  const notional = BigInt(points) * holding.market.contract.unit;
  const opened =
    against === 0 ? notional : quotient(notional * BigInt(lots - against), BigInt(lots), 'ceil');
  return partOf(opened, holding.rates.opening, 'ceil');
}
