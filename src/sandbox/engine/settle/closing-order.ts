/** An order that closes a position without its owner's request: a liquidation or a trigger. */
import type { ExecutionType } from '../event.ts';
import type { TimeInForce } from '../instrument.ts';
import { opposite, type Position } from '../model/holding.ts';
import { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';

interface Closing {
  readonly lots: number;
  readonly executionType: ExecutionType;
  /**
   * The limit price, and whether the rest of the order stays in the book; default: a market order.
   */
  readonly limit?: { readonly ticks: number; readonly force: TimeInForce };
}

/** Creates a closing order. It has the next number but is not accepted yet: nothing is changed. */
export function closingOrder(
  state: State,
  { side, holding }: Position,
  { lots, executionType, limit }: Closing,
): Order {
  const { account, market, isOneWay, marginMode } = holding;
  return new Order({
    count: state.counts.order + 1,
    owner: account,
    holding,
    traits: market.traitsCache.like({
      market,
      category: market.instrument.category,
      intent: isOneWay ? 'reduce' : 'close',
      holdSide: side,
      isBuy: opposite(side) === 'long',
      force: limit?.force ?? 'ioc',
      stpMode: 'none',
      executionType,
      marginMode,
    }),
    ticks: limit?.ticks ?? 0,
    lots,
    ownClientOid: undefined,
    presets: undefined,
    at: state.now,
  });
}
