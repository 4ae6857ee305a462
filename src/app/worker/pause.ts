/** A worker pauses when something on its machine prevents a job that another live worker may take. */
import { minute, second, type Clock, type Millis } from '../../base/clock.ts';
import type { Ending, Job, JobQueue, Pause, Worker } from '../../stores/queue.ts';

export interface Pausing {
  /** The current pause of the worker; undefined if it takes jobs. */
  readonly now: () => Pause | undefined;
  /**
   * Begins a pause, or prolongs it.
   * @returns false if no other live worker may take the job: then nothing changes
   */
  readonly begin: (job: Job, ending: Ending) => Promise<boolean>;
  /** Called when a job was done: the next pause is a short one again. */
  readonly worked: () => void;
}

interface PausingOptions {
  readonly queue: Pick<JobQueue, 'workers'>;
  readonly worker: Worker;
  readonly lease: Millis;
  readonly clock: Clock;
}

const shortest: Millis = 30 * second;
const longest: Millis = 5 * minute;

export function pausing({ queue, worker, lease, clock }: PausingOptions): Pausing {
  let current: { readonly pause: Omit<Pause, 'left'>; readonly until: Millis } | undefined;
  let length = shortest;
  const now = (): Pause | undefined => {
    const left = (current?.until ?? 0) - clock.monotonic();
    return current !== undefined && left > 0 ? { ...current.pause, left } : undefined;
  };
  return {
    now,
    begin: async (job, { message, hint }) => {
      const workers = await queue.workers();
      const others = workers.filter(
        ({ name, silentFor }) => name !== worker.name && silentFor <= lease,
      );
      if (!others.some((other) => mayTake(other, job))) return false;
      const jobs = [...new Set([...(now()?.jobs ?? []), job.id])];
      const pause = { because: message, ...(hint !== undefined && { hint }), jobs };
      current = { pause, until: clock.monotonic() + length };
      length = Math.min(2 * length, longest);
      return true;
    },
    worked: () => {
      length = shortest;
    },
  };
}

/** Whether a worker has the keys and reads the job, takes jobs at all, and did not just give this one back. */
function mayTake(worker: Worker, { id, profiles, format }: Job): boolean {
  const serves = profiles.every((profile) => worker.profiles.includes(profile));
  const isRefused = worker.pause !== undefined && worker.pause.left === undefined;
  const hasTried = worker.pause?.jobs.includes(id) === true;
  return serves && worker.format >= format && !isRefused && !hasTried;
}
