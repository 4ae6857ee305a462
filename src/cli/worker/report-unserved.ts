/** Reports at once on stderr that nobody can take a job now. The job is queued nevertheless. */
import { waitsUnserved } from '../../app/queue/available.ts';
import type { QueueScreen } from '../../app/queue/queued-plan.ts';
import type { Job } from '../../stores/queue.ts';
import type { Jobs } from '../../stores/job-store.ts';
import type { Context } from '../context.ts';

export async function reportUnserved(job: Job, jobs: Jobs, context: Context): Promise<void> {
  const because = await waitsUnserved(job, jobs);
  if (because !== undefined) queueScreen(context).unserved(because);
}

/** Shows on stderr what happens while a job waits. */
export function queueScreen({ terminal: { err } }: Context): QueueScreen {
  return {
    say: (line) => err.line(line),
    unserved: (because) =>
      err.line(`${err.theme.sign('warn')} ${because}; the job waits for one: deskhand worker`),
  };
}
