/** Reports, once each, the reasons why a worker takes no jobs until a person acts. */
import { minute, type Clock, type Millis } from '../../base/clock.ts';
import { count } from '../../base/text.ts';
import type { JobQueue, Pause, Worker } from '../../stores/queue.ts';
import { StoreError, UnreachableError } from '../../stores/store.ts';

/** The reason why a worker takes no jobs, or not all. */
export interface Refusal {
  readonly message: string;
  readonly hint: string;
}

export interface Refusals {
  /** @returns whether an error of the queue is a refusal; other errors may pass */
  readonly isRefusal: (error: unknown) => boolean;
  /** Called when the queue gave an answer. */
  readonly answered: () => void;
  /** Why the worker takes no jobs, for people who look at the workers; undefined if it takes them. */
  readonly now: () => Pause | undefined;
  /** Called when no job was taken: looks now and then whether jobs of a newer format wait. */
  readonly idle: () => Promise<void>;
}

interface RefusalOptions {
  readonly queue: Pick<JobQueue, 'list'>;
  readonly worker: Worker;
  readonly clock: Clock;
  readonly onRefusal: (refusal: Refusal) => void;
}

const between: Millis = minute; // two looks at the queue of an idle worker

export function refusals({ queue, worker, clock, onRefusal }: RefusalOptions): Refusals {
  let current: Pause | undefined;
  let isOutdated = false;
  let next = -Infinity;
  return {
    isRefusal: (error) => {
      if (!(error instanceof StoreError) || error instanceof UnreachableError) return false;
      const { message, hint = 'see `deskhand doctor`' } = error;
      const isKnown = current?.because === message;
      current = { because: message, hint, jobs: [] };
      if (!isKnown) onRefusal({ message: `nothing is taken: ${message}`, hint });
      return true;
    },
    answered: () => (current = undefined),
    now: () => current,
    idle: async () => {
      if (clock.monotonic() < next) return;
      next = clock.monotonic() + between;
      const newer = (await queue.list()).filter(
        ({ state, job: { format, profiles } }) =>
          state === 'queued' &&
          format > worker.format &&
          profiles.every((profile) => worker.profiles.includes(profile)),
      );
      if (newer.length > 0 && !isOutdated) onRefusal(outdated(newer.length, worker));
      isOutdated = newer.length > 0;
    },
  };
}

function outdated(jobs: number, { version }: Worker): Refusal {
  const [verb, they] = jobs === 1 ? ['is', 'it is'] : ['are', 'they are'];
  return {
    message: `${count(jobs, 'queued job')} ${verb} not taken: ${they} of a newer version of deskhand than ${version}`,
    hint: 'stop this worker, install that version, and start it again',
  };
}
