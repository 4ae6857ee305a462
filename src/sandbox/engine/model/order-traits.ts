/** Properties shared by many orders: stored once per kind of order in a market. */
import type { OrderCategory } from '../../../exchange/api/vocabulary.ts';
import type { ExecutionType } from '../event.ts';
import type { MarginMode, SelfTradeMode, TimeInForce } from '../instrument.ts';
import type { Market } from './market.ts';

export type HoldSide = 'long' | 'short';

/**
 * The effect of an order on a position. One-way: `net`, or `reduce` with reduceOnly. Hedge: `open`
 * or `close`. Spot: `none`.
 */
export type Intent = 'none' | 'net' | 'reduce' | 'open' | 'close';

export interface OrderTraits {
  readonly market: Market;
  readonly category: OrderCategory;
  readonly intent: Intent;
  /** The side of the position that the order opens or closes. */
  readonly holdSide: HoldSide;
  /** Whether the executed side is a buy. */
  readonly isBuy: boolean;
  readonly force: TimeInForce;
  readonly stpMode: SelfTradeMode;
  readonly executionType: ExecutionType;
  readonly marginMode: MarginMode;
}

/** The traits of orders in one market: few, and consecutive orders often have the same. */
export class OrderTraitsCache {
  private readonly known: OrderTraits[] = [];
  private latest: OrderTraits | undefined = undefined;

  /** The stored traits that equal the given ones; all orders of a kind share them. */
  like(wanted: OrderTraits): OrderTraits {
    const { latest } = this;
    if (latest !== undefined && areEqual(latest, wanted)) return latest;
    for (const traits of this.known) {
      if (!areEqual(traits, wanted)) continue;
      this.latest = traits;
      return traits;
    }
    const traits = traitsOf(wanted);
    this.known.push(traits);
    this.latest = traits;
    return traits;
  }
}

/** A copy of only these properties of an object. */
function traitsOf({
  market,
  category,
  intent,
  holdSide,
  isBuy,
  ...rest
}: OrderTraits): OrderTraits {
  const { force, stpMode, executionType, marginMode } = rest;
  return {
    market,
    category,
    intent,
    holdSide,
    isBuy,
    force,
    stpMode,
    executionType,
    marginMode,
  };
}

function areEqual(a: OrderTraits, b: OrderTraits): boolean {
  return (
    a.isBuy === b.isBuy &&
    a.intent === b.intent &&
    a.force === b.force &&
    a.marginMode === b.marginMode &&
    a.stpMode === b.stpMode &&
    a.holdSide === b.holdSide &&
    a.executionType === b.executionType &&
    a.category === b.category &&
    a.market === b.market
  );
}
