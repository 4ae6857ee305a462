/** The place where schedulers find each other: the state folder of a machine, or a store that several machines
 * share.
 */
import type { Millis } from '../../base/clock.ts';
import { lockName, type AccountLock } from '../../engine/journal/lock.ts';
import { stateFiles } from './state-files.ts';
import type { StoreOptions } from './stored.ts';

export interface SchedulePlace extends StoreOptions {
  /** Takes a lock that one process at a time can have. @throws LockedError */
  readonly lock: (name: string, owner: string) => Promise<AccountLock>;
  /** The clock that decides what is due, if several machines share it. Default: the scheduler's clock. */
  readonly now?: () => Promise<Millis>;
}

/** The place that the schedulers of this machine share. */
export function localPlace(stateDir: string): SchedulePlace {
  return {
    folder: stateDir,
    files: stateFiles,
    lock: (name, owner) => lockName(stateDir, name, owner),
  };
}
