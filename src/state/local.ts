/** The store of one machine: locks and runs stand in the state folder, and nothing is told to anybody. */
import { UsageError } from '../base/error.ts';
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

/** All of them or none. @throws LockedError */
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
    for (const account of accounts) locks.push(await lockAccount(stateDir, account, run));
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}
