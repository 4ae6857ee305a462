/** The queue of jobs in a Postgres database. */
import type { JobQueue } from '../queue.ts';
import { find, finish, giveBack, list, put, stop, takeJob, withdraw } from './job.ts';
import { databaseOf, type PostgresOptions } from './options.ts';
import { wakerAt } from './wake.ts';
import { beat, leave, workers } from './worker.ts';

/** Connects at the first call, apart from `openPostgres`. @throws ConfigError for a bad URL */
export function openQueue(options: PostgresOptions): JobQueue & { close(): Promise<void> } {
  const { database, address, timeoutMs } = databaseOf(options);
  const waker = wakerAt({ url: address.url, timeoutMs });
  return {
    put: (job, isAgain = job.kind === 'resume') => put(database, job, isAgain),
    take: (worker, lease, writes) => takeJob(database, worker, lease, writes),
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
