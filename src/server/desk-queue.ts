/** The queue of a desk as its pages show it: read every few seconds, and after each change from here. */
import { choice, list, optional, record, text, type Infer } from '../api/schema.ts';
import type { Clock } from '../base/clock.ts';
import { digestOf } from '../base/json.ts';
import { isEmbedded } from '../journal/account.ts';
import type { Destination } from '../journal/entry.ts';
import type { QueueService, QueueState } from './services.ts';
import { moment } from './shapes.ts';

export const waitingJob = record({
  desk: text(),
  job: text({ description: 'The id of its run; of a plan, any' }),
  kind: choice(['plan', 'run', 'resume']),
  playbook: text(),
  profiles: list(text(), { description: 'Whose keys its worker needs' }),
  by: text({ description: 'Who queued it' }),
  since: moment('When it was queued, by the clock of this machine'),
  worker: optional(text({ description: 'The worker that has just taken it' })),
  unserved: optional(text({ description: 'Why no live worker can take it' })),
});

export type WaitingJob = Infer<typeof waitingJob>;

export const byWorker = choice(['no', 'possible', 'served'], {
  description:
    'Whether a worker can do it: `possible` if one has the keys; `served` if such a worker is running',
});

export type ByWorker = Infer<typeof byWorker>;

/** A job, also one that a worker executes. */
export interface DeskJob extends WaitingJob {
  /** Who asked for its end. */
  readonly stoppedBy?: string;
}

export interface DeskQueue extends Pick<QueueService, 'stop' | 'plan'> {
  /** Reads it again; a failure leaves what is known. @returns whether it has changed */
  fetch(): Promise<boolean>;
  /** Jobs that have not ended, in the order of queueing. */
  jobs(): readonly DeskJob[];
  /** Whether live workers have the keys of all these accounts. */
  serves(profiles: readonly string[]): boolean;
}

export function deskQueue(desk: string, service: QueueService, clock: Clock): DeskQueue {
  let state: QueueState = { jobs: [], workers: [] };
  let digest = '';
  let readAt = clock.now();
  return {
    stop: service.stop,
    plan: service.plan,
    fetch: async () => {
      const found = await service.read().catch(() => undefined); // `sync` tells why
      if (found === undefined) return false;
      [state, readAt] = [found, clock.now()];
      const before = digest;
      digest = digestOf([state.workers, state.jobs.map(({ age: _age, ...job }) => job)]);
      return digest !== before;
    },
    jobs: () =>
      state.jobs.map(({ id, age, ...job }) => ({ ...job, desk, job: id, since: readAt - age })),
    serves: (profiles) =>
      state.workers.some((worker) => profiles.every((profile) => worker.includes(profile))),
  };
}

/** @param accounts of the work: no worker reaches the exchange of this machine */
export function byWorkerOf(
  accounts: readonly Destination[],
  queue: DeskQueue | undefined,
): ByWorker {
  if (queue === undefined || accounts.some((each) => isEmbedded(each))) return 'no';
  return queue.serves(accounts.map(({ profile }) => profile)) ? 'served' : 'possible';
}

/** Without what is shown of a run in progress. */
export function waitingOf({ stoppedBy: _asked, ...job }: DeskJob): WaitingJob {
  return job;
}
