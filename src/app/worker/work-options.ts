/** The options of a worker, and the events that it reports. */
import type { Clock, Millis } from '../../base/clock.ts';
import type { Ending, Job, JobQueue, JobState, Pause, Wait, Worker } from '../../stores/queue.ts';
import type { UnreachableError } from '../../stores/store.ts';
import type { Refusal } from './refusals.ts';

/** The result of an attempt: the job has ended, or continues later, here or with another worker. */
export type Attempted =
  | { readonly kind: 'ended'; readonly ending: Ending }
  /** Another machine may be able to do the job; if none is, the job ends with this ending. */
  | { readonly kind: 'unable'; readonly ending: Ending }
  | GivenBack;

interface GivenBack {
  readonly kind: 'given-back';
  /** The minimum time that the job waits. */
  readonly delay: Millis;
  /** The end of this attempt, which is that of the job if a person asked for it. */
  readonly ending?: Ending;
  /** The event that the job waits for, and the reason. */
  readonly wait?: Wait;
}

export interface WorkOptions {
  readonly queue: JobQueue;
  readonly worker: Worker;
  /** The first format whose workers read the journals that this worker writes. Default: its own format. */
  readonly writes?: number;
  /** How long a job stays with a worker that gives no sign of life. */
  readonly lease: Millis;
  readonly clock: Clock;
  /** Calls a function at intervals, and returns the function that ends it. */
  readonly every: (ms: Millis, work: () => void) => () => void;
  /** Whether the worker ends when no job can be taken any more, instead of waiting for the next one. */
  readonly isOnce: boolean;
  /** The signal to stop: no further job is taken, and jobs in progress stop in order. */
  readonly drain: AbortSignal;
  /** Works on a job. Its signal asks it to stop in order. */
  readonly attempt: (job: Job, stop: AbortSignal) => Promise<Attempted>;
  /** Fetches what a run of another worker would need here, if this worker had to continue it. Default: nothing. */
  readonly prepare?: (job: JobState['job']) => Promise<void>;
  readonly onEvent: (event: WorkEvent) => void;
  /** Notifies of a job that ended; it never rejects. */
  readonly notify?: (job: Job, ending: Ending) => Promise<void>;
}

export type WorkEvent =
  /** The worker is registered: from now on it takes jobs. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'taken'; readonly job: Job }
  | { readonly kind: 'ended'; readonly job: Job; readonly ending: Ending }
  | { readonly kind: 'given-back'; readonly job: Job; readonly wait?: Wait }
  /** The worker takes no jobs for a while. */
  | { readonly kind: 'paused'; readonly pause: Pause }
  /** The worker takes no jobs, or not every job, until a person acts; reported once. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The queue cannot be reached at the start: reported once. */
  | { readonly kind: 'waiting'; readonly error: UnreachableError }
  | { readonly kind: 'trouble'; readonly error: unknown };
