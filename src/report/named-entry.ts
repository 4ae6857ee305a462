/** Entries of a journal that name their account, in a run with several. */
import type { Entry } from '../engine/journal/entry.ts';
import { accountField, type OnAccount } from './accounts.ts';
import { ActionAccounts } from './action-accounts.ts';

export type NamedEntry = Entry & OnAccount;

/**
 * Makes the function that names accounts. @returns names the account of each entry of a journal, in their
 * order
 */
export function entryNaming(): (entry: Entry) => NamedEntry {
  const accounts = new ActionAccounts();
  return (entry) => {
    accounts.add(entry);
    return { ...entry, ...accountField(accounts.named(entry)) };
  };
}
