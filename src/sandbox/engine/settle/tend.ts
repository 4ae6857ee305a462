/** Checks one wallet: liquidates what its margin no longer covers, and covers losses. */
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import { areDoomed, crossedPositions, isDoomed, isolatedPositions, isWell } from './health.ts';
import { liquidateCrossed, liquidateIsolated } from './liquidate.ts';
import { payFromReserve } from './reserve.ts';

/** Executes one step; the wallet is checked again until nothing is left to do. */
export function tend(state: State, wallet: Wallet): void {
  if (isWell(wallet)) return;
  const isolated = isolatedPositions(wallet);
  const doomed = isolated.find(isDoomed);
  if (doomed !== undefined) {
    liquidateIsolated(state, doomed);
    state.touch(wallet);
    return;
  }
  const crossed = crossedPositions(wallet);
  if (areDoomed(wallet, crossed)) {
    liquidateCrossed(state, wallet, crossed);
    state.touch(wallet);
    return;
  }
  if (crossed.length === 0 && wallet.balance < 0n) payFromReserve(state, wallet, -wallet.balance);
}
