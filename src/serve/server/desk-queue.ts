/** The queue of a desk as its pages show it: read every few seconds, and after each change from here. */
import { choice, list, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import type { Clock } from '../../base/clock.ts';
import { digestOf } from '../../base/json.ts';
import { isEmbedded } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import { summaryOf, type PlanSummary } from './approvals/plan-summary.ts';
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
  waits: optional(text({ description: 'What it waits for, if a live worker can take it' })),
});

export type WaitingJob = Infer<typeof waitingJob>;

export const byWorker = choice(['no', 'possible', 'served'], {
  description:
    'Whether a worker can do it: `possible` if one has the keys; `served` if such a worker is running',
});

export type ByWorker = Infer<typeof byWorker>;

/** A job, also one that a worker executes. */
export interface DeskJob extends WaitingJob {
  /** The person who asked for the job's end. */
  readonly stoppedBy?: string;
}

export interface DeskQueue extends Pick<QueueService, 'stop' | 'plan'> {
  /**
   * Reads the queue again; a failure leaves the known jobs. @returns whether the queue has changed
   */
  fetch(): Promise<boolean>;
  /** Jobs that have not ended, in the order of queueing. */
  jobs(): readonly DeskJob[];
  /** The newest plans that workers made. */
  readonly plans: () => readonly PlanSummary[];
  /** Whether live workers have the keys of all these accounts. */
  serves(profiles: readonly string[]): boolean;
}

/**
 * The queue of a desk.
 * @param hasApprovals plans are listed: some profile requires approvals
 */
export function deskQueue(
  desk: string,
  service: QueueService,
  { clock, hasApprovals }: { readonly clock: Clock; readonly hasApprovals: boolean },
): DeskQueue {
  let state: QueueState = { jobs: [], workers: [], plans: [] };
  let digest = '';
  const plans = new Map<string, PlanSummary | undefined>();
  let readAt = clock.now();
  return {
    stop: service.stop,
    plan: service.plan,
    fetch: async () => {
      const found = await service.read().catch(() => undefined); // `sync` tells why
      if (found === undefined) return false;
      [state, readAt] = [found, clock.now()];
      if (hasApprovals) await fetchPlans(state.plans, service, plans);
      const before = digest;
      digest = digestOf([
        state.workers,
        [...plans.keys()],
        state.jobs.map(({ age: _age, ...job }) => job),
      ]);
      return digest !== before;
    },
    jobs: () =>
      state.jobs.map(({ id, age, ...job }) => ({ ...job, desk, job: id, since: readAt - age })),
    plans: () => state.plans.flatMap((id) => plans.get(id) ?? []),
    serves: (profiles) =>
      state.workers.some((worker) => profiles.every((profile) => worker.includes(profile))),
  };
}

const plansAtOnce = 10; // the newest ones first; the others by the next looks

/**
 * Fetches plans that workers made. A plan never changes. One that was changed nevertheless is not
 * shown: opening it shows why.
 */
async function fetchPlans(
  ids: readonly string[],
  service: QueueService,
  plans: Map<string, PlanSummary | undefined>,
): Promise<void> {
  for (const id of plans.keys()) if (!ids.includes(id)) plans.delete(id);
  for (const id of ids.filter((each) => !plans.has(each)).slice(0, plansAtOnce)) {
    try {
      plans.set(id, summaryOf(await service.plan(id)));
    } catch (error) {
      if (!(error instanceof StalePlanError)) return; // the next look may read it
      plans.set(id, undefined);
    }
  }
}

/**
 * Whether a worker can do some work.
 * @param accounts of the work: no worker reaches the exchange of this machine
 */
export function byWorkerOf(
  accounts: readonly Destination[],
  queue: DeskQueue | undefined,
): ByWorker {
  if (queue === undefined || accounts.some((each) => isEmbedded(each))) return 'no';
  return queue.serves(accounts.map(({ profile }) => profile)) ? 'served' : 'possible';
}

/** A job without the fields that are shown of a run in progress. */
export function waitingOf({ stoppedBy: _asked, ...job }: DeskJob): WaitingJob {
  return job;
}
