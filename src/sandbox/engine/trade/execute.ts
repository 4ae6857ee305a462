/** Matches an open order with the book: it executes, then rests, or ends. */
import { match, preview, type MatchRules } from '../book/match.ts';
import type { CloseReason } from '../event.ts';
import { opposite, type Holding } from '../model/holding.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { fill } from './fill.ts';
import { close, holdAt } from './lifecycle.ts';

/** Matches an order that counts as open, and leaves it filled, resting or canceled. */
export function execute(state: State, order: Order): void {
  const { force, market } = order;
  const { book } = market;
  if (order.status === 'new') order.status = 'live';
  if (force === 'post_only' && book.wouldTrade(order.isBuy, order.ticks)) {
    return close(state, order, 'post_only_fill_cancel');
  }
  if (force === 'fok' && !canFill(order)) return close(state, order, 'fok_not_full_cancel');
  const metItself = take(state, order, order.limit);
  const reason = metItself ? 'stp_cancel' : endOf(order);
  if (reason !== undefined) return close(state, order, reason);
  holdAt(state, order, order.ticks);
  book.rest(order);
}

/** Executes against the book, and returns whether an order of the same account stopped it. */
export function take(state: State, taker: Order, limit: number): boolean {
  return match(state, { book: taker.market.book, taker, limit }, rules);
}

const rules: MatchRules<Order, State> = {
  filled: fill,
  cancelMaker: (state, maker) => close(state, maker, 'stp_cancel'),
};

function endOf({ remaining, force }: Order): CloseReason | undefined {
  if (remaining === 0) return 'filled';
  return force === 'gtc' || force === 'post_only' ? undefined : 'ioc_not_full_cancel';
}

/** Whether the book would fill an order completely, considering its self-trade mode. */
function canFill(order: Order): boolean {
  const spent = new Map<Holding, number>();
  let left = order.remaining;
  preview({ book: order.market.book, taker: order, limit: order.limit }, (maker) => {
    left -= usable(maker, spent);
    return left <= 0;
  });
  return left <= 0;
}

/**
 * The lots of a resting order that can certainly execute. If an earlier order of its account
 * reduces its position, orders that close that position may be reduced before their turn.
 */
function usable(maker: Order, spent: Map<Holding, number>): number {
  const { holding, intent, holdSide, owner, market } = maker;
  if (holding === undefined) return maker.remaining;
  const isClosingOnly = market.isClosingOnly && !owner.isMaker;
  const gone = spent.get(holding) ?? 0;
  if (intent === 'net' || isClosingOnly) spent.set(holding, gone + maker.remaining);
  if (gone === 0 || (intent === 'net' && !isClosingOnly)) return maker.remaining;
  const position = holding.position(intent === 'net' ? opposite(holdSide) : holdSide);
  if (position === undefined) return 0;
  const taken = isClosingOnly ? holding.opening(opposite(position.side)).lots : gone;
  return position.closerLots > position.lots - taken ? 0 : maker.remaining;
}
