/** The queue of jobs in a Postgres database. */
import { second, systemClock, type Clock, type Millis } from '../../base/clock.ts';
import type { JobQueue } from '../queue.ts';
import { find, finish, giveBack, list, put, stop, takeJob, withdraw } from './job.ts';
import { databaseOf, type PostgresOptions } from './options.ts';
import { requireTables } from './upgrade.ts';
import { wakerAt } from './wake.ts';
import { beat, leave, workers } from './worker.ts';

const between: Millis = 10 * second; // two checks of the version of the tables by a worker

/**
 * Opens the queue, with other connections than `openPostgres`; it connects at the first call.
 * @throws ConfigError for a bad URL
 */
export function openQueue(
  options: PostgresOptions,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): JobQueue & { close(): Promise<void> } {
  const { database, address, timeoutMs } = databaseOf(options);
  const waker = wakerAt({ url: address.url, timeoutMs });
  let checked = -Infinity;
  /** Checks the version of the tables with each call: open connections stay when the tables are upgraded. */
  const requireSame = async (): Promise<void> => {
    if (clock.monotonic() < checked + between) return;
    await requireTables(database.query, address);
    checked = clock.monotonic();
  };
  return {
    put: (job, isAgain = job.kind === 'resume') => put(database, job, isAgain),
    take: async (worker, lease, writes) => {
      await requireSame();
      return takeJob(database, worker, lease, writes);
    },
    beat: (worker, lease) => beat(database, worker, lease),
    giveBack: (worker, id, delay, wait) => giveBack(database, worker, id, delay, wait),
    finish: (worker, id, ending) => finish(database, worker, id, ending),
    stop: (id, by) => stop(database, id, by),
    withdraw: (id) => withdraw(database, id),
    find: (id) => find(database, id),
    list: () => list(database),
    leave: (worker) => leave(database, worker),
    workers: () => workers(database),
    wake: (atMost, signal) => waker.wake(atMost, signal),
    close: async () => {
      waker.close();
      await database.close();
    },
  };
}
