/** What orders have in common by the thousand: kept once for each kind of order in a market. */
import type { OrderCategory } from '../../../contract/vocabulary.ts';
import type { ExecutionType } from '../event.ts';
import type { MarginMode, SelfTradeMode, TimeInForce } from '../instrument.ts';
import type { Market } from './market.ts';

export type HoldSide = 'long' | 'short';

/**
 * What an order does to a position. One-way: `net`, or `reduce` with reduceOnly. Hedge: `open`
 * or `close`. Spot: `none`.
 */
export type Intent = 'none' | 'net' | 'reduce' | 'open' | 'close';

export interface Manner {
  readonly market: Market;
  readonly category: OrderCategory;
  readonly intent: Intent;
  /** The side of the position it opens or, as a closer, closes. */
  readonly holdSide: HoldSide;
  /** The executed side. */
  readonly isBuy: boolean;
  readonly force: TimeInForce;
  readonly stpMode: SelfTradeMode;
  readonly executionType: ExecutionType;
  readonly marginMode: MarginMode;
}

/** The manners seen in one market; there are few, and orders of one kind come in rows. */
export class Manners {
  private readonly known: Manner[] = [];
  private latest: Manner | undefined = undefined;

  /** The one that is equal to the wanted one; all orders of a kind share it. */
  like(wanted: Manner): Manner {
    const { latest } = this;
    if (latest !== undefined && areEqual(latest, wanted)) return latest;
    for (const manner of this.known) {
      if (!areEqual(manner, wanted)) continue;
      this.latest = manner;
      return manner;
    }
    const manner = mannerOf(wanted);
    this.known.push(manner);
    this.latest = manner;
    return manner;
  }
}

/** Without what else the wanted one may carry. */
function mannerOf({ market, category, intent, holdSide, isBuy, ...rest }: Manner): Manner {
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

function areEqual(a: Manner, b: Manner): boolean {
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
