/** Asks for the end of a job, for `runs cancel` and for Stop on the page of `serve`. */
import type { JobQueue } from '../../stores/queue.ts';

/** The result of a request to stop a job. */
export type JobStop =
  | 'unknown'
  | 'ended'
  /** No worker ever had the job. */
  | 'cancelled'
  /** No worker has the job, and its run may have begun. */
  | 'rest cancelled'
  | 'plan cancelled'
  | 'stopping';

type Repeating = (ask: () => Promise<JobStop>) => Promise<JobStop>;

/**
 * Stops a job: a queued one is not started, and a run that a worker has stops in order.
 * @param repeating asks again when the store gave no answer, whether or not the request had its effect.
 * Default: asks once
 */
export async function cancelJob(
  queue: JobQueue,
  id: string,
  who: string,
  repeating: Repeating = (ask) => ask(),
): Promise<JobStop> {
  let isAsked = false;
  return repeating(async () => {
    const found = await queue.find(id);
    if (found === undefined) return 'unknown';
    const { job, state, worker, stoppedBy } = found;
    if (!(isAsked && stoppedBy === who)) {
      isAsked = true;
      if (!(await queue.stop(id, who))) return 'ended';
    }
    if (job.kind === 'plan') return 'plan cancelled';
    if (state === 'taken') return 'stopping';
    return job.kind === 'run' && worker === undefined ? 'cancelled' : 'rest cancelled';
  });
}
