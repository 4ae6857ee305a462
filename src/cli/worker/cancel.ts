/** Asks for the end of a job: `runs cancel`, and Stop on the page of `serve`. */
import type { JobStop } from '../../server/services.ts';
import type { JobQueue } from '../../state-store/queue.ts';

/** A queued job is not started; a run that a worker has stops in order. */
export async function cancelJob(queue: JobQueue, id: string, who: string): Promise<JobStop> {
  const found = await queue.find(id);
  if (found === undefined) return 'unknown';
  if (!(await queue.stop(id, who))) return 'ended';
  const { job, state, worker } = found;
  if (job.kind === 'plan') return 'plan cancelled';
  if (state === 'taken') return 'stopping';
  return job.kind === 'run' && worker === undefined ? 'cancelled' : 'rest cancelled';
}
