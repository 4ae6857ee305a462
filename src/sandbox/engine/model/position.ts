/** How an execution changes a position: opened lots add their cost, closed lots remove it. */
import { partOf, quotient, type Money } from '../money.ts';
import { opposite, Position, type Holding } from './holding.ts';
import type { HoldSide } from './order-traits.ts';
import type { Order } from './order.ts';
import type { State } from './state.ts';

/** The size and price of an execution: lots and their trade price. */
export interface Execution {
  readonly lots: number;
  readonly ticks: number;
}

/** The position that an order reduces before it opens anything; in one-way mode the other side. */
export function positionAgainst({ holding, intent, holdSide }: Order): Position | undefined {
  switch (intent) {
    case 'reduce':
    case 'close':
      return holding?.position(holdSide);
    case 'net':
      return holding?.position(opposite(holdSide));
    case 'open':
    case 'none':
      return undefined;
  }
}

/** Removes lots from a position and returns the profit, in the margin coin. */
export function decrease(position: Position, { lots, ticks }: Execution): Money {
  const { isLong } = position;
  const { market } = position.holding;
  const entryValue = shareOf(position.entryValue, lots, position.lots);
  const margin = shareOf(position.margin, lots, position.lots);
  position.lots -= lots;
  position.entryValue -= entryValue;
  position.margin -= margin;
  if (isLong) market.openLots -= lots;
  return market.contract.profit({ isLong, lots, entryValue }, ticks);
}

/** Opens a position, or increases it. */
export function increase(
  state: State,
  { holding, holdSide, market }: Order,
  { lots, ticks }: Execution,
): void {
  if (holding === undefined) return;
  const position = holding.position(holdSide) ?? openPosition(state, holding, holdSide);
  const points = market.contract.allPoints(ticks, lots);
  position.lots += lots;
  position.entryValue += market.value(ticks, lots);
  position.margin += partOf(points, holding.rates.margin, 'ceil');
  if (position.isLong) market.openLots += lots;
}

function openPosition(state: State, holding: Holding, side: HoldSide): Position {
  const count = ++state.counts.position;
  const position = new Position({ count, holding, side, openedAt: state.now });
  holding[side] = position;
  holding.market.positions.add(position);
  return position;
}

/** Removes positions without lots, and updates the margin. */
export function finish(holding: Holding): void {
  forgetEmpty(holding, holding.long);
  forgetEmpty(holding, holding.short);
  holding.changed();
}

function forgetEmpty({ market }: Holding, position: Position | undefined): void {
  if (position === undefined || position.lots > 0) return;
  if (position.guards.size > 0) {
    for (const guard of position.guards) market.triggers.remove(guard);
  }
  market.positions.delete(position);
  position.holding[position.side] = undefined;
}

/** The proportional part of an amount for some of the lots; the last lots get the remainder. */
function shareOf(amount: Money, lots: number, all: number): Money {
  return lots === all ? amount : quotient(amount * BigInt(lots), BigInt(all), 'floor');
}
