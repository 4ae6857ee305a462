/** How an execution moves a position: opened lots bring their cost, closed lots take it away. */
import { quotient, type Money } from '../money.ts';
import { initialMargin, opposite, Position, type Holding } from './holding.ts';
import type { HoldSide } from './manner.ts';
import type { Order } from './order.ts';
import type { State } from './state.ts';

interface Executed {
  readonly lots: number;
  readonly ticks: number;
}

export interface Moved {
  /** In the margin coin. */
  readonly profit: Money;
  /** Lots that opened or enlarged a position. */
  readonly opened: number;
}

/** Applies an execution to the position the order is about. */
export function move(state: State, order: Order, { lots, ticks }: Executed): Moved {
  const { holding, intent, holdSide } = order;
  if (holding === undefined) return { profit: 0n, opened: 0 };
  if (order.isCloser) {
    return { profit: decrease(holding, holdSide, { lots, ticks }), opened: 0 };
  }
  const against = intent === 'net' ? opposite(holdSide) : undefined;
  const closed = against === undefined ? 0 : Math.min(lots, holding.position(against)?.lots ?? 0);
  const profit =
    against === undefined || closed === 0
      ? 0n
      : decrease(holding, against, { lots: closed, ticks });
  const opened = lots - closed;
  if (opened > 0) increase(state, holding, { side: holdSide, lots: opened, ticks });
  return { profit, opened };
}

/** Takes lots out of a position and returns what closing them earned. */
function decrease(holding: Holding, side: HoldSide, { lots, ticks }: Executed): Money {
  const position = holding.position(side);
  if (position === undefined) return 0n;
  const entryValue = shareOf(position.entryValue, lots, position.lots);
  const margin = shareOf(position.margin, lots, position.lots);
  const { isLong } = position;
  position.lots -= lots;
  position.entryValue -= entryValue;
  position.margin -= margin;
  if (isLong) holding.market.openLots -= lots;
  return holding.market.contract.profit({ isLong, lots, entryValue }, ticks);
}

function increase(
  state: State,
  holding: Holding,
  { side, lots, ticks }: Executed & { readonly side: HoldSide },
): void {
  const { market } = holding;
  const position = holding.position(side) ?? openPosition(state, holding, side);
  const entryValue = market.value(ticks, lots);
  const stake = { isLong: position.isLong, lots, entryValue };
  position.lots += lots;
  position.entryValue += entryValue;
  position.margin += initialMargin(holding, market.contract.entryNotional(stake));
  if (position.isLong) market.openLots += lots;
}

function openPosition(state: State, holding: Holding, side: HoldSide): Position {
  const count = ++state.counts.position;
  const position = new Position({ count, holding, side, openedAt: state.now });
  holding[side] = position;
  holding.market.positions.add(position);
  return position;
}

/** Forgets positions with no lots left; margin has changed with the rest. */
export function finish(holding: Holding): void {
  forgetEmpty(holding, holding.long);
  forgetEmpty(holding, holding.short);
  holding.changed();
}

function forgetEmpty({ market }: Holding, position: Position | undefined): void {
  if (position === undefined || position.lots > 0) return;
  for (const guard of position.guards) market.triggers.remove(guard);
  market.positions.delete(position);
  position.holding[position.side] = undefined;
}

/** The part of an amount that goes with some of the lots; the last lots take what is left. */
function shareOf(amount: Money, lots: number, all: number): Money {
  return lots === all ? amount : quotient(amount * BigInt(lots), BigInt(all), 'floor');
}
