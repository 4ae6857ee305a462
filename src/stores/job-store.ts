/** The parts of a store with a queue that commands use: jobs, the lines of their runs, and shared plans. */
import type { Millis } from '../base/clock.ts';
import type { SharedPlans } from './shared-plans.ts';
import type { JobQueue } from './queue.ts';
import type { SharedRuns } from './shared/shared-runs.ts';

/** The queue of a store, with the lines of its runs and shared plans. */
export interface Jobs {
  readonly queue: JobQueue;
  readonly runs: SharedRuns;
  readonly plans: SharedPlans;
  /** How long a job stays with a worker that gives no sign of life. */
  readonly lease: Millis;
  close(): Promise<void>;
}
