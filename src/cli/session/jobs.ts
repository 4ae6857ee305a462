/** The queue of a project's shared state, for commands. */
import type { Secret } from '../../base/secret.ts';
import type { Config } from '../../config/load.ts';
import type { JobQueue } from '../../state-store/queue.ts';
import type { SharedRuns } from '../../state-store/shared/shared-runs.ts';
import type { Context } from '../context.ts';
import { databaseUrl, requireDatabase } from './state.ts';

/** A queue, and the lines of the runs in it. */
export interface Jobs {
  readonly queue: JobQueue;
  readonly runs: SharedRuns;
  /** How long a job is taken without a sign of life. */
  readonly lease: number;
  close(): Promise<void>;
}

/** @throws ConfigError for a project without a database */
export async function openJobs(config: Config, context: Context): Promise<Jobs> {
  const { url: source, lease } = requireDatabase(config);
  const [{ openQueue }, { openPostgres }] = await Promise.all([
    import('../../state-store/postgres/queue.ts'),
    import('../../state-store/postgres/runs.ts'),
  ]);
  const secret: Secret = await databaseUrl(source, context);
  const options = { url: secret.reveal(), lease };
  const queue = openQueue(options);
  const runs = openPostgres(options);
  return {
    queue,
    runs,
    lease,
    close: async () => {
      await Promise.all([queue.close(), runs.close()]);
    },
  };
}
