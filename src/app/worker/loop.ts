/** A worker: takes jobs while it has free slots, and reports that it is alive. */
import { second, type Millis } from '../../base/clock.ts';
import { UnreachableError } from '../../stores/store.ts';
import { Ahead } from './ahead.ts';
import { JobsInProgress } from './in-progress.ts';
import { pausing, type Pausing } from './pause.ts';
import { refusals } from './refusals.ts';
import type { WorkOptions } from './work-options.ts';

const pollMs: Millis = second;
const onceWaits: Millis = 30 * second; // for a queue that cannot be reached, with `isOnce`

/**
 * Returns when it is drained and everything in progress has ended, or with `isOnce` is done.
 * @throws UnreachableError as `reached` does; StoreError for a queue that refuses the worker
 */
export async function work(options: WorkOptions): Promise<void> {
  const { queue, worker, lease, drain, onEvent } = options;
  const pauses = pausing(options);
  const refused = refusals({
    ...options,
    onRefusal: (refusal) => onEvent({ kind: 'refused', refusal }),
  });
  const trouble = (error: unknown): void => {
    if (!refused.isRefusal(error)) onEvent({ kind: 'trouble', error });
  };
  const jobs = new JobsInProgress(options, pauses, refused);
  const ahead = new Ahead(options);
  if (!(await reached(() => jobs.beat(), options))) return;
  onEvent({ kind: 'ready' });
  const endBeats = options.every(lease / 3, () => {
    jobs.beat().catch(trouble);
  });
  const stopAll = (): void => jobs.stopAll();
  drain.addEventListener('abort', stopAll, { once: true });
  try {
    await takeUntilDrained({ jobs, pauses, ahead, trouble }, options);
    await Promise.all([jobs.ended(), ahead.ended()]);
  } finally {
    drain.removeEventListener('abort', stopAll);
    endBeats();
    await queue.leave(worker.name).catch(() => undefined); // it is seen by its silence
  }
}

interface Taking {
  readonly jobs: JobsInProgress;
  readonly pauses: Pausing;
  readonly ahead: Ahead;
  readonly trouble: (error: unknown) => void;
}

/** Takes jobs until the worker is drained, or with `isOnce` until none is left. */
async function takeUntilDrained(taking: Taking, options: WorkOptions): Promise<void> {
  const { jobs, ahead, trouble } = taking;
  const { drain, isOnce, clock } = options;
  while (!drain.aborted) {
    let isIdle = false;
    try {
      isIdle = await takeAll(taking, options);
    } catch (error) {
      trouble(error);
      await clock.sleep(pollMs);
    }
    if (isOnce && isIdle && jobs.count === 0) break;
    if (drain.aborted) break;
    if (isIdle) ahead.look();
    await somethingNew(jobs, options);
  }
}

/** Takes jobs into all free slots. @returns whether none is left that this worker can do */
async function takeAll({ jobs, pauses }: Taking, { worker, drain }: WorkOptions): Promise<boolean> {
  let isIdle = false;
  while (jobs.count < worker.slots && !drain.aborted && !isIdle) {
    isIdle = pauses.now() !== undefined || !(await jobs.takeOne());
  }
  return isIdle;
}

/** Waits until a job has ended, the queue has a new one, or some time is over. */
async function somethingNew(
  jobs: JobsInProgress,
  { queue, worker, clock }: WorkOptions,
): Promise<void> {
  const waiting = new AbortController();
  const changed = jobs.changed();
  // The queue keeps no process alive; a timer does.
  const pause = clock.sleep(pollMs, waiting.signal).catch(() => undefined);
  const isFull = jobs.count >= worker.slots;
  const woken = isFull ? pause : Promise.race([queue.wake(pollMs, waiting.signal), pause]);
  await Promise.race([changed, woken]);
  waiting.abort();
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
