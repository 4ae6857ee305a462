/** Invariants of every state between two commands; each check reports violations. */
import type { State } from '../model/state.ts';
import { bookFaults, orderFaults } from './orders.ts';
import { billFaults, ledgerFaults } from './money.ts';
import { healthFaults, holdingFaults, marketFaults } from './positions.ts';

/** Violations as sentences; an empty list means there are none. */
export function findFaults(state: State): string[] {
  const faults = [...ledgerFaults(state)];
  for (const market of state.markets) {
    faults.push(...marketFaults(market), ...bookFaults(market));
  }
  for (const account of state.accounts.values()) {
    faults.push(...orderFaults(state, account), ...billFaults(state, account));
    for (const holding of account.holdings.values()) faults.push(...holdingFaults(holding));
    for (const wallet of account.wallets.values()) faults.push(...healthFaults(state, wallet));
  }
  return faults;
}
