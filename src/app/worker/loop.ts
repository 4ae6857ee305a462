/** A worker: takes jobs while it has free slots, and reports that it is alive. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import type { Ending, Job, JobQueue, Pause, Wait, Worker } from '../../stores/queue.ts';
import { UnreachableError } from '../../stores/store.ts';
import { pausing, type Pausing } from './pause.ts';
import { refusals, type Refusal } from './refusals.ts';

/** The result of an attempt: the job has ended, or continues later, here or with another worker. */
export type Attempted =
  | { readonly kind: 'ended'; readonly ending: Ending }
  /** Another machine may be able to do the job; otherwise the job ends so. */
  | { readonly kind: 'unable'; readonly ending: Ending }
  | GivenBack;

interface GivenBack {
  readonly kind: 'given-back';
  /** The minimum time that the job waits. */
  readonly delay: Millis;
  /** The end of this attempt, which is that of the job if a person asked for it. */
  readonly ending?: Ending;
  /** What the job waits for, and the reason. */
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

const pollMs: Millis = second;
const onceWaits: Millis = 30 * second; // for a queue that cannot be reached, with `isOnce`
const lostDelay: Millis = 30 * second; // after an attempt that failed without a reason

/**
 * Returns when it is drained and everything in progress has ended, or with `isOnce` is done.
 * @throws UnreachableError as `reached` does; StoreError for a queue that refuses the worker
 */
export async function work(options: WorkOptions): Promise<void> {
  const { queue, worker, lease, drain, isOnce, onEvent } = options;
  const going = new Map<string, Going>();
  const pauses = pausing(options);
  const refused = refusals({
    ...options,
    onRefusal: (refusal) => onEvent({ kind: 'refused', refusal }),
  });
  const trouble = (error: unknown): void => {
    if (!refused.isRefusal(error)) onEvent({ kind: 'trouble', error });
  };
  let notify = (): void => undefined;
  let isTaking = false;

  const beat = async (): Promise<void> => {
    const before = [...going]; // not those that begin while it is asked
    const pause = refused.now() ?? pauses.now();
    const beats = await queue.beat(pause ? { ...worker, pause } : worker, lease);
    for (const [id, one] of before) {
      const found = beats.find((each) => each.id === id);
      if (found?.stoppedBy !== undefined) one.isCancelled = true;
      if (found === undefined || one.isCancelled) one.stop.abort();
    }
    // The answer to its take was lost.
    const strange = isTaking ? [] : beats.filter(({ id }) => !going.has(id));
    for (const { id } of strange) await queue.giveBack(worker.name, id, 0);
  };
  const begin = (job: Job): void => {
    if (going.has(job.id)) return; // its lease was over, and it is still here
    const one: Going = { stop: new AbortController(), isCancelled: false, done: Promise.resolve() };
    onEvent({ kind: 'taken', job });
    going.set(job.id, one);
    one.done = settle(job, one, { ...options, pauses, beat }).finally(() => {
      going.delete(job.id);
      notify();
    });
    if (drain.aborted) one.stop.abort();
  };
  /** Takes one job. @returns false when none is left that this worker can do */
  const takeOne = async (): Promise<boolean> => {
    isTaking = true;
    try {
      const job = await queue.take(worker, lease, options.writes);
      refused.answered();
      if (job !== undefined) begin(job);
      else await refused.idle();
      return job !== undefined;
    } finally {
      isTaking = false;
    }
  };

  if (!(await reached(beat, options))) return;
  onEvent({ kind: 'ready' });
  const endBeats = options.every(lease / 3, () => {
    beat().catch(trouble);
  });
  const stopAll = (): void => {
    for (const { stop } of going.values()) stop.abort();
    notify();
  };
  drain.addEventListener('abort', stopAll, { once: true });
  try {
    while (!drain.aborted) {
      let isIdle = false;
      try {
        while (going.size < worker.slots && !drain.aborted && !isIdle) {
          isIdle = pauses.now() !== undefined || !(await takeOne());
        }
      } catch (error) {
        trouble(error);
        await options.clock.sleep(pollMs);
      }
      if (isOnce && isIdle && going.size === 0) break;
      if (drain.aborted) break;
      const isFull = going.size >= worker.slots;
      const waiting = new AbortController();
      const changed = new Promise<void>((resolve) => (notify = resolve));
      // The queue keeps no process alive; a timer does.
      const pause = options.clock.sleep(pollMs, waiting.signal).catch(() => undefined);
      const woken = isFull ? pause : Promise.race([queue.wake(pollMs, waiting.signal), pause]);
      await Promise.race([changed, woken]);
      waiting.abort();
    }
    await Promise.all([...going.values()].map(({ done }) => done));
  } finally {
    drain.removeEventListener('abort', stopAll);
    endBeats();
    await queue.leave(worker.name).catch(() => undefined); // it is seen by its silence
  }
}

/**
 * Waits for a queue that cannot be reached when the worker starts, as later.
 * @returns false when it was drained before
 * @throws UnreachableError with `isOnce`, when it could not be reached in time
 */
async function reached(
  beat: () => Promise<void>,
  { clock, drain, isOnce, onEvent }: WorkOptions,
): Promise<boolean> {
  const since = clock.monotonic();
  for (let isReported = false; !drain.aborted; isReported = true) {
    try {
      await beat();
      return true;
    } catch (error) {
      const isOver = isOnce && clock.monotonic() - since >= onceWaits;
      if (!(error instanceof UnreachableError) || isOver) throw error;
      if (!isReported) onEvent({ kind: 'waiting', error });
    }
    await clock.sleep(pollMs, drain).catch(() => undefined);
  }
  return false;
}

interface Going {
  readonly stop: AbortController;
  /** Whether a person asked for the end of the job. */
  isCancelled: boolean;
  done: Promise<void>;
}

const reports = 5; // attempts to report the end of a job; later another worker finds that it is done

const failed: Attempted = { kind: 'given-back', delay: lostDelay };

interface Settling extends WorkOptions {
  readonly pauses: Pausing;
  /** Reports that this worker is alive, and whether it pauses. */
  readonly beat: () => Promise<void>;
}

/** Does a job and reports its result. It never rejects: other jobs are in progress. */
async function settle(job: Job, going: Going, options: Settling): Promise<void> {
  const { queue, worker, clock, onEvent } = options;
  const tried = await options.attempt(job, going.stop.signal).catch((error: unknown) => {
    onEvent({ kind: 'trouble', error });
    return failed;
  });
  const attempted = tried.kind === 'unable' ? await elsewhere(job, tried, options) : tried;
  if (tried.kind === 'ended') options.pauses.worked();
  const ending = attempted.kind === 'ended' || going.isCancelled ? attempted.ending : undefined;
  const { delay = 0, wait } = attempted.kind === 'given-back' ? attempted : {};
  onEvent(
    ending ? { kind: 'ended', job, ending } : { kind: 'given-back', job, ...(wait && { wait }) },
  );
  for (let left = reports; left > 0; left--) {
    try {
      if (ending) {
        await queue.finish(worker.name, job.id, ending);
        await options.notify?.(job, ending);
      } else await queue.giveBack(worker.name, job.id, delay, wait);
      return;
    } catch (error) {
      onEvent({ kind: 'trouble', error });
      await clock.sleep(pollMs);
    }
  }
}

/** Leaves a job to other workers and pauses; the job ends if no live one may take it. */
async function elsewhere(
  job: Job,
  { ending }: { readonly ending: Ending },
  { pauses, beat, worker, onEvent }: Settling,
): Promise<Attempted> {
  try {
    if (!(await pauses.begin(job, ending))) return { kind: 'ended', ending };
    await beat(); // first, so that the next worker knows that this one cannot do it
  } catch (error) {
    onEvent({ kind: 'trouble', error });
    return { ...failed, ending };
  }
  const pause = pauses.now();
  if (pause !== undefined) onEvent({ kind: 'paused', pause });
  const { message, hint } = ending;
  const wait = { because: `${worker.name}: ${message}`, ...(hint !== undefined && { hint }) };
  return { kind: 'given-back', delay: 0, ending, wait };
}
