/** Reports at once on stderr that nobody can take a job now. The job is queued nevertheless. */
import { waitsUnserved } from '../../app/queue/available.ts';
import type { Job } from '../../stores/queue.ts';
import type { Jobs } from '../../stores/job-store.ts';
import type { Context } from '../context.ts';

export async function reportUnserved(job: Job, jobs: Jobs, context: Context): Promise<void> {
  const { err } = context.terminal;
  const words = await waitsUnserved(job, jobs);
  if (words === undefined) return;
  err.line(`${err.theme.sign('warn')} ${words}; the job waits for one: deskhand worker`);
}
