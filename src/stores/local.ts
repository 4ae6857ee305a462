/** The store of one machine: locks and runs are in the state folder, and no other machine is notified. */
import type { Millis } from '../base/clock.ts';
import { UsageError } from '../base/error.ts';
import { accountNames } from '../engine/journal/account.ts';
import type { Destination, Entry } from '../engine/journal/entry.ts';
import { JournalError } from '../engine/journal/error.ts';
import { listingOnce } from '../engine/journal/listed-writes.ts';
import {
  lockAccountName,
  lockRun,
  type AccountLock,
  type LockOptions,
  type NamedLock,
} from '../engine/journal/lock.ts';
import { listRuns } from '../engine/journal/run-list.ts';
import { readRun } from '../engine/journal/runs.ts';
import { freeLocks, locksToFree } from '../engine/journal/unlock.ts';
import { noteHandover, withHandover } from './handover.ts';
import type { StateStore, Unlocking } from './store.ts';

export function localStore(stateDir: string): StateStore {
  return {
    sync: async () => [],
    unlock: async (word) => {
      const locks = await locksToFree(stateDir, word.run);
      if (locks.length === 0) throw nothingToFree(word.run);
      await freeHere(stateDir, locks, word);
    },
    claim: async ({ accounts, run, isShared }) => {
      const lock = await lockAccounts(stateDir, accounts, run, sharing(isShared));
      return {
        open: ({ journal, entries }) =>
          withHandover(stateDir, run, { journal: listingOnce(journal, entries), entries }),
        release: () => lock.release(),
      };
    },
  };
}

export function nothingToFree(word: string): UsageError {
  return new UsageError(
    `no lock of ${word} waits for a person`,
    'see what is locked: deskhand runs list; the lock of a process that provably ended is taken over',
  );
}

/**
 * Releases locks after a person's confirmation. The last actions of their holders are unknown: a released run
 * looks up every write before it sends one, unless the machine was only restarted.
 */
export async function freeHere(
  stateDir: string,
  locks: readonly NamedLock[],
  { who, comment, at, now, isRestarted = false }: Unlocking,
): Promise<void> {
  const unknown = locks.filter(({ life }) => life.state === 'unknown');
  const holders = new Map(
    unknown.flatMap(({ record }) => (record ? [[record.holder, record]] : [])),
  );
  for (const [run, { host }] of isRestarted ? [] : holders) {
    const since = await startOf(stateDir, run);
    if (since !== undefined) await noteHandover(stateDir, run, { host, since, until: now });
  }
  await freeLocks(stateDir, locks, { who, comment, at });
}

/**
 * The start of a run by the exchange's clock; undefined for anything but a run, and for one that never
 * started. A damaged record has no start: it blocks no release, and after a restore everything is looked up.
 */
async function startOf(stateDir: string, run: string): Promise<Millis | undefined> {
  if (!(await listRuns(stateDir)).some((header) => header.run === run)) return undefined;
  let started: Entry | undefined;
  try {
    [started] = await readRun(stateDir, run);
  } catch (error) {
    if (error instanceof JournalError) return 0;
    throw error;
  }
  return started?.kind === 'started' ? started.time : undefined;
}

/** The part of a run's lock that tells whether its process has other work. */
export function sharing(isShared: boolean | undefined): LockOptions {
  return isShared === undefined ? {} : { isShared };
}

/**
 * Locks a run and its accounts, all of them or none; two profiles may have one account.
 * @throws LockedError
 */
export async function lockAccounts(
  stateDir: string,
  accounts: readonly Destination[],
  run: string,
  options: LockOptions = {},
): Promise<AccountLock> {
  const locks: AccountLock[] = [];
  const release = async (): Promise<void> => {
    await Promise.all(locks.map((lock) => lock.release()));
  };
  try {
    for (const name of new Set(accounts.flatMap(accountNames))) {
      locks.push(await lockAccountName(stateDir, name, run, options));
    }
    locks.push(await lockRun(stateDir, run, options));
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}
