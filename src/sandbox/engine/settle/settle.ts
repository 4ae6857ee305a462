/** The consequences of a command: triggers fire, then liquidations follow. */
import type { State } from '../model/state.ts';
import { fireNext } from './fire.ts';
import { tend } from './tend.ts';

/**
 * Fires triggers and liquidates until there are no more consequences; each step may cause others.
 */
export function settle(state: State): void {
  for (;;) {
    if (state.stirred.size > 0 && fireNext(state)) continue;
    const wallet = state.nextTouched();
    if (wallet === undefined) return;
    tend(state, wallet);
  }
}
