/** What an account has in one futures symbol: positions, resting orders, and the margin for both. */
import type { Millis } from '../../../base/clock.ts';
import type { MarginMode } from '../instrument.ts';
import { quotient, type Money } from '../money.ts';
import type { Account } from './account.ts';
import type { Market } from './market.ts';
import type { HoldSide, Order } from './order.ts';
import type { Guard } from './triggers.ts';
import type { Wallet } from './wallet.ts';

/** Open orders that would open a position on one side, summed up. */
export class Opening {
  lots = 0;
  /** Their value in the margin coin. */
  notional: Money = 0n;
  /** Margin and opening fees for them. */
  cost: Money = 0n;
}

/** In one-way mode an account has at most one of the two sides of a symbol. */
export class Position {
  readonly count: number;
  readonly holding: Holding;
  readonly side: HoldSide;
  readonly openedAt: Millis;
  lots = 0;
  /** What its lots cost when they were opened, in the quote coin. */
  entryValue: Money = 0n;
  /** Set aside for it. */
  margin: Money = 0n;
  /** Open orders that close it, oldest first. */
  readonly closers = new Set<Order>();
  closerLots = 0;
  /** Take-profits and stop-losses waiting for their price. */
  readonly guards = new Set<Guard>();

  constructor(about: { count: number; holding: Holding; side: HoldSide; openedAt: Millis }) {
    this.count = about.count;
    this.holding = about.holding;
    this.side = about.side;
    this.openedAt = about.openedAt;
  }

  get isLong(): boolean {
    return this.side === 'long';
  }

  /** Lots no resting order would close. */
  get freeLots(): number {
    return this.lots - this.closerLots;
  }
}

export class Holding {
  readonly account: Account;
  readonly market: Market;
  readonly wallet: Wallet;
  leverage: number;
  marginMode: MarginMode = 'crossed';
  long: Position | undefined = undefined;
  short: Position | undefined = undefined;
  readonly openingLong = new Opening();
  readonly openingShort = new Opening();
  /** Open orders of any kind. */
  openOrders = 0;
  /** Its share of what the wallet holds. */
  held: Money = 0n;

  constructor(account: Account, market: Market, wallet: Wallet) {
    this.account = account;
    this.market = market;
    this.wallet = wallet;
    this.leverage = market.instrument.leverageInitial;
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
}

export function opposite(side: HoldSide): HoldSide {
  return side === 'long' ? 'short' : 'long';
}

/** Initial margin of a value at the holding's leverage. */
export function initialMargin(holding: Holding, notional: Money): Money {
  return quotient(notional, BigInt(holding.leverage), 'ceil');
}

/** Brings what the wallet holds for a holding up to date. */
export function updateHeld(holding: Holding): void {
  const { openingLong, openingShort } = holding;
  openingLong.cost = openingCost(holding, 'long', openingLong);
  openingShort.cost = openingCost(holding, 'short', openingShort);
  hold(
    holding,
    (holding.long?.margin ?? 0n) +
      (holding.short?.margin ?? 0n) +
      openingLong.cost +
      openingShort.cost,
  );
}

/** The same after only the orders of one side have changed. */
export function updateOpening(holding: Holding, side: HoldSide): void {
  const opening = holding.opening(side);
  const cost = openingCost(holding, side, opening);
  hold(holding, holding.held + cost - opening.cost);
  opening.cost = cost;
}

function hold(holding: Holding, held: Money): void {
  holding.wallet.held += held - holding.held;
  holding.held = held;
}

/**
 * Margin and opening fees for orders that would open a side. In one-way mode they first close what
 * stands against them; that part needs no margin.
 */
export function openingCost(
  holding: Holding,
  side: HoldSide,
  { lots, notional }: Pick<Opening, 'lots' | 'notional'>,
): Money {
  if (lots === 0) return 0n;
  const against = holding.isOneWay ? (holding.position(opposite(side))?.lots ?? 0) : 0;
  if (against >= lots) return 0n;
  const opened =
    against === 0 ? notional : quotient(notional * BigInt(lots - against), BigInt(lots), 'ceil');
  const { top, bottom } = holding.market.openingRate(holding.leverage);
  return quotient(opened * top, bottom, 'ceil');
}
