/** The store of one machine: locks and runs stand in the state folder, and nothing is told to anybody. */
import { UsageError } from '../base/error.ts';
import { accountOf } from '../journal/account.ts';
import type { Destination } from '../journal/entry.ts';
import { lockAccount, type AccountLock } from '../journal/lock.ts';
import type { StateStore } from './store.ts';

export function localStore(stateDir: string): StateStore {
  return {
    sync: async () => [],
    unlock: async ({ run }) => {
      throw new UsageError(
        `the state of ${run} is kept on this machine alone`,
        'a lock here is freed when its process ends; another machine shares it by state: git',
      );
    },
    claim: async ({ accounts, run }) => {
      const lock = await lockAccounts(stateDir, accounts, run);
      return { open: async (opened) => opened, release: () => lock.release() };
    },
  };
}

/** All of them or none; two profiles may lead to one account. @throws LockedError */
export async function lockAccounts(
  stateDir: string,
  accounts: readonly Destination[],
  run: string,
): Promise<AccountLock> {
  const locks: AccountLock[] = [];
  const release = async (): Promise<void> => {
    await Promise.all(locks.map((lock) => lock.release()));
  };
  try {
    const distinct = new Map(accounts.map((account) => [accountOf(account), account]));
    for (const account of distinct.values()) locks.push(await lockAccount(stateDir, account, run));
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}
