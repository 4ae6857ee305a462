/** Events that are due: phases, funding, delayed matching, in chronological order. */
import type { Millis } from '../../../base/clock.ts';
import type { Market } from '../model/market.ts';
import type { State } from '../model/state.ts';
import { matchArrivals } from '../trade/enter.ts';
import { enterPhase } from './delivery.ts';
import { nextFundingAfter, payFunding } from './funding.ts';
import { settle } from './settle.ts';

/** Advances the time; everything due by then happens at its own time. */
export function passTime(state: State, until: Millis): void {
  while (state.nextDue <= until) {
    state.now = state.nextDue;
    for (const market of state.markets) runDue(state, market);
    matchArrivals(state);
    settle(state);
    schedule(state);
  }
  state.now = until;
}

/** Computes the time of the next due event. */
export function schedule(state: State): void {
  let next = state.arrivals[0]?.due ?? Infinity;
  for (const { nextFunding, nextPhase } of state.markets) {
    next = Math.min(next, nextFunding ?? Infinity, nextPhase ?? Infinity);
  }
  state.nextDue = next;
}

function runDue(state: State, market: Market): void {
  if (market.nextPhase !== undefined && market.nextPhase <= state.now) {
    enterPhase(state, market);
  }
  if (market.nextFunding !== undefined && market.nextFunding <= state.now) {
    payFunding(state, market);
    market.nextFunding = nextFundingAfter(state.now);
  }
}
