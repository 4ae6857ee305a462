/** Closing orders: their allowed size, and which older orders are canceled for them (interface, 6, rules 2-4). */
import { Refusal } from '../../refusal.ts';
import type { Position } from '../model/holding.ts';
import type { State } from '../model/state.ts';
import { makeRoom } from './lifecycle.ts';
import type { Request } from './request.ts';

export interface Closing {
  /** The order's size in lots. */
  readonly lots: number;
  /** Cancels the older orders that are in the way, and returns whether there were any. */
  readonly clear: () => boolean;
}

/**
 * The result of a closing order; nothing is changed before `clear`.
 * @throws Refusal when no position exists, or it is too small
 */
export function readClosing(state: State, request: Request, lots: number): Closing {
  const position = request.holding?.position(request.holdSide);
  if (position === undefined) throw new Refusal('22002');
  if (request.intent === 'reduce') return reduce(state, position, lots);
  return request.isMarket
    ? closeAtMarket(state, position, lots)
    : closeAtLimit(state, position, lots);
}

/**
 * Rule 2: the newest remains, never larger than the position; the oldest are canceled until all
 * fit.
 */
function reduce(state: State, position: Position, asked: number): Closing {
  const lots = Math.min(asked, position.lots);
  return {
    lots,
    clear: () => makeRoom(state, position, { lots, reason: 'reduce_only_cancel' }),
  };
}

/** Rule 3: lots held by resting orders stay held, the rest is closed. Rule 4 if nothing is left. */
function closeAtMarket(state: State, position: Position, asked: number): Closing {
  const free = position.freeLots;
  if (free > 0) return { lots: Math.min(asked, free), clear: () => false };
  return takeOver(state, position, Math.min(asked, position.lots));
}

function closeAtLimit(state: State, position: Position, lots: number): Closing {
  if (lots > position.lots) throw new Refusal('40757');
  if (position.freeLots === 0) return takeOver(state, position, lots);
  if (lots > position.freeLots) throw new Refusal('40757');
  return { lots, clear: () => false };
}

/** Rule 4: the orders that hold the whole position are canceled, oldest first. */
function takeOver(state: State, position: Position, lots: number): Closing {
  return { lots, clear: () => makeRoom(state, position, { lots, reason: 'give_way_cancel' }) };
}
