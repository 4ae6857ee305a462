/** What commands use of a store with a queue: its jobs, the lines of their runs, and shared plans. */
import type { Millis } from '../base/clock.ts';
import type { SharedPlans } from './shared-plans.ts';
import type { JobQueue } from './queue.ts';
import type { SharedRuns } from './shared/shared-runs.ts';

/** A queue, and the lines of the runs in it. */
export interface Jobs {
  readonly queue: JobQueue;
  readonly runs: SharedRuns;
  readonly plans: SharedPlans;
  /** How long a job is taken without a sign of life. */
  readonly lease: Millis;
  close(): Promise<void>;
}
