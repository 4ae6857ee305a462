/** Where schedulers find each other: the state folder of a machine, or what several machines share. */
import type { Millis } from '../../base/clock.ts';
import { lockName, type AccountLock } from '../../engine/journal/lock.ts';
import { stateFiles } from './state-files.ts';
import type { StoreOptions } from './stored.ts';

export interface SchedulePlace extends StoreOptions {
  /** A lock for one process at a time. @throws LockedError */
  readonly lock: (name: string, owner: string) => Promise<AccountLock>;
  /** The clock that decides what is due, if several machines share it; default: the scheduler's. */
  readonly now?: () => Promise<Millis>;
}

/** The schedulers of this machine. */
export function localPlace(stateDir: string): SchedulePlace {
  return {
    folder: stateDir,
    files: stateFiles,
    lock: (name, owner) => lockName(stateDir, name, owner),
  };
}
