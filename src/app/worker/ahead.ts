/** Looks ahead at the jobs that other workers have: what this worker would need to continue them is fetched while it
 * is idle, so that a job whose worker is lost continues as soon as its lease is over.
 */
import { minute, type Millis } from '../../base/clock.ts';
import { DeskhandError } from '../../base/error.ts';
import type { JobState } from '../../stores/queue.ts';
import type { WorkOptions } from './work-options.ts';

const pauseMs: Millis = minute; // between two looks

export class Ahead {
  readonly #options: WorkOptions;
  #at: Millis | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: WorkOptions) {
    this.#options = options;
  }

  /** Looks once a minute, beside what the worker does. */
  look(): void {
    const { clock, isOnce, prepare, onEvent } = this.#options;
    if (prepare === undefined || isOnce || this.#looking !== undefined) return;
    const now = clock.monotonic();
    if (this.#at !== undefined && now - this.#at < pauseMs) return;
    this.#at = now;
    this.#looking = this.#lookNow(prepare)
      .catch((error: unknown) => {
        // The worker that continues a job fetches what is missing, and reports the problem.
        if (!(error instanceof DeskhandError)) onEvent({ kind: 'trouble', error });
      })
      .finally(() => (this.#looking = undefined));
  }

  /** Resolves when nothing is being fetched. */
  async ended(): Promise<void> {
    await this.#looking;
  }

  async #lookNow(prepare: NonNullable<WorkOptions['prepare']>): Promise<void> {
    const { worker, drain } = this.#options;
    for (const job of (await this.#jobsOfOthers()).slice(0, worker.slots)) {
      if (drain.aborted) return;
      await prepare(job);
    }
  }

  /** Runs that this worker could continue, those of the workers that have been silent the longest first. */
  async #jobsOfOthers(): Promise<readonly JobState['job'][]> {
    const { queue, worker } = this.#options;
    const jobs = (await queue.list()).filter(
      ({ job, state, worker: other }) =>
        state === 'taken' &&
        other !== worker.name &&
        job.kind !== 'plan' &&
        job.profiles.every((name) => worker.profiles.includes(name)),
    );
    if (jobs.length <= worker.slots) return jobs.map(({ job }) => job);
    const silent = new Map(
      (await queue.workers()).map(({ name, silentFor }) => [name, silentFor] as const),
    );
    const silence = ({ worker: other = '' }: JobState): Millis => silent.get(other) ?? Infinity;
    return jobs.toSorted((a, b) => silence(b) - silence(a)).map(({ job }) => job);
  }
}
