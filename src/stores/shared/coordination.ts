/** Files and locks of a shared database, for schedulers: a database that is unreachable is asked again. */
import { atIntervals, second, type Clock, type Millis } from '../../base/clock.ts';
import { randomId } from '../../base/random.ts';
import { LockedError, type AccountLock } from '../../engine/journal/lock.ts';
import type { StateFiles } from '../small-files.ts';
import { StoreError, type Coordination } from '../store.ts';
import type { SharedFiles } from './shared-files.ts';

export interface CoordinationOptions {
  readonly shared: SharedFiles;
  /** The time that a lock lasts without renewal. */
  readonly lease: Millis;
  readonly clock: Clock;
  /** Calls a function at intervals, and returns the function that ends it. Default: a timer. */
  readonly every?: (ms: Millis, work: () => void) => () => void;
}

const patience: Millis = 20 * second; // of one action; then the caller reports it and tries later
const pause: Millis = second / 2;

export function sharedCoordination(options: CoordinationOptions): Coordination {
  const { shared, clock } = options;
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    const since = clock.monotonic();
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const isOver = clock.monotonic() - since >= patience;
        if (!(error instanceof StoreError) || isOver) throw error;
      }
      await clock.sleep(pause);
    }
  };
  const files: StateFiles = {
    read: (path) => asked(() => shared.read(path)),
    replace: (path, text, before) => asked(() => shared.replace(path, text, before)),
    create: (path, text) => asked(() => shared.create(path, text)),
    append: (path, line) => {
      const id = randomId(16);
      return asked(() => shared.append(path, line, id));
    },
    names: (folder) => asked(() => shared.names(folder)),
    remove: (folder) => asked(() => shared.remove(folder)),
  };
  return {
    files,
    now: () => asked(() => shared.now()),
    lock: (name) => leasedLock(name, asked, options),
  };
}

/** A lock that lasts while its process renews it, and for the lease after that. */
async function leasedLock(
  name: string,
  asked: <T>(ask: () => Promise<T>) => Promise<T>,
  { shared, lease, every = atIntervals }: CoordinationOptions,
): Promise<AccountLock> {
  const holder = randomId(16);
  if (!(await asked(() => shared.lock(name, holder, lease)))) {
    throw new LockedError(
      `another process holds the lock ${name}`,
      'wait for it to end; if its machine failed, the lock is free when its lease is over',
    );
  }
  const endRenewal = every(lease / 3, () => {
    shared.renew(name, holder, lease).catch(() => undefined); // the next one may succeed
  });
  return {
    release: async () => {
      endRenewal();
      // A lock whose release gets no answer ends with its lease.
      await shared.unlock(name, holder).catch((error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
      });
    },
  };
}
