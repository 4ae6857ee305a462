/** The jobs that a worker has: it begins them, says that it still has them, and reports their results. */
import { second, type Millis } from '../../base/clock.ts';
import type { Ending, Job } from '../../stores/queue.ts';
import type { Pausing } from './pause.ts';
import type { Refusals } from './refusals.ts';
import type { Attempted, WorkOptions } from './work-options.ts';

const retryMs: Millis = second;
const lostDelay: Millis = 30 * second; // after an attempt that failed without a reason

export class JobsInProgress {
  readonly #options: WorkOptions;
  readonly #pauses: Pausing;
  readonly #refused: Refusals;
  readonly #going = new Map<string, Going>();
  #isTaking = false;
  #notify = (): void => undefined;

  constructor(options: WorkOptions, pauses: Pausing, refused: Refusals) {
    this.#options = options;
    this.#pauses = pauses;
    this.#refused = refused;
  }

  get count(): number {
    return this.#going.size;
  }

  /** Reports that the worker is alive, and stops the jobs that are not its own any more. */
  async beat(): Promise<void> {
    const { queue, worker, lease } = this.#options;
    const before = [...this.#going]; // not those that begin while it is asked
    const pause = this.#refused.now() ?? this.#pauses.now();
    const beats = await queue.beat(pause ? { ...worker, pause } : worker, lease);
    for (const [id, one] of before) {
      const found = beats.find((each) => each.id === id);
      if (found?.stoppedBy !== undefined) one.isCancelled = true;
      if (found === undefined || one.isCancelled) one.stop.abort();
    }
    // The answers to takes of these jobs were lost.
    const strange = this.#isTaking ? [] : beats.filter(({ id }) => !this.#going.has(id));
    for (const { id } of strange) await queue.giveBack(worker.name, id, 0);
  }

  /** Takes one job. @returns false when none is left that this worker can do */
  async takeOne(): Promise<boolean> {
    const { queue, worker, lease, writes } = this.#options;
    this.#isTaking = true;
    try {
      const job = await queue.take(worker, lease, writes);
      this.#refused.answered();
      if (job !== undefined) this.#begin(job);
      else await this.#refused.idle();
      return job !== undefined;
    } finally {
      this.#isTaking = false;
    }
  }

  /** Resolves when a job has ended, or all are asked to stop. */
  changed(): Promise<void> {
    return new Promise((resolve) => (this.#notify = resolve));
  }

  /** Asks all jobs to stop in order. */
  stopAll(): void {
    for (const { stop } of this.#going.values()) stop.abort();
    this.#notify();
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#going.values()].map(({ done }) => done));
  }

  #begin(job: Job): void {
    if (this.#going.has(job.id)) return; // its lease was over, and it is still here
    const one: Going = { stop: new AbortController(), isCancelled: false, done: Promise.resolve() };
    this.#options.onEvent({ kind: 'taken', job });
    this.#going.set(job.id, one);
    const settling = { ...this.#options, pauses: this.#pauses, beat: () => this.beat() };
    one.done = settle(job, one, settling).finally(() => {
      this.#going.delete(job.id);
      this.#notify();
    });
    if (this.#options.drain.aborted) one.stop.abort();
  }
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
      await clock.sleep(retryMs);
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
