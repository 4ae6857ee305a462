/** The queue of a project's shared state, for commands. */
import { second, type Millis } from '../../base/clock.ts';
import type { Config } from '../config/load.ts';
import { openJobStore } from '../../stores/databases.ts';
import type { Jobs } from '../../stores/job-store.ts';
import type { AppContext } from '../app-context.ts';
import { databaseUrl, requireDatabase } from './database.ts';

/** The connections of each part of the store: a part asks one question at a time. A run opens others. */
const connections = 2;

/** The timeout of each call of a command: a person can wait longer than a lease lasts. */
const commandTimeout = 10 * second;

/**
 * Opens the queue of a project.
 * @param timeouts of each call; a worker has less time, because its leases end
 * @throws ConfigError for a project without a database
 */
export async function openJobs(
  config: Config,
  context: AppContext,
  timeouts: { readonly timeoutMs?: Millis } = { timeoutMs: commandTimeout },
): Promise<Jobs> {
  const state = requireDatabase(config);
  if (context.jobs !== undefined) return { ...context.jobs, close: async () => undefined };
  const url = (await databaseUrl(state.url, context)).reveal();
  const { queue, runs, plans } = await openJobStore(state.store, {
    url,
    lease: state.lease,
    connections,
    env: context.env,
    ...timeouts,
  });
  return {
    queue,
    runs,
    plans,
    lease: state.lease,
    close: async () => {
      await Promise.all([queue.close(), runs.close(), plans.close()]);
    },
  };
}
