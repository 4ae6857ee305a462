/** What follows from a command before it ends: triggers go off, then the doomed are closed. */
import type { State } from '../model/state.ts';
import { fireNext } from './fire.ts';
import { tend } from './tend.ts';

/** Runs until nothing follows any longer; each step may cause others. */
export function settle(state: State): void {
  for (;;) {
    if (state.stirred.size > 0 && fireNext(state)) continue;
    const wallet = state.nextTouched();
    if (wallet === undefined) return;
    tend(state, wallet);
  }
}
