/** The values of the queue's object: the jobs that have not ended, and the known workers. */
import type { Millis } from '../../../base/clock.ts';
import type { Ending, Job, JobState, Wait, Worker } from '../../queue.ts';
import type { Invocation } from './object.ts';

/** A job without its body, which is another value: `body ID`. */
export interface Row {
  readonly job: Omit<Job, 'body'>;
  /** Times of the job by the clock of the handlers. */
  readonly queued: Millis;
  /** The time from which the job may be taken: the end of its lease, or of a delay. */
  readonly free: Millis;
  readonly isTaken: boolean;
  /** The worker that has the job, or had it last. */
  readonly worker?: string;
  readonly stoppedBy?: string;
  readonly ending?: Ending;
  readonly wait?: Wait;
}

export interface Seen {
  readonly worker: Worker;
  readonly at: Millis;
}

/** The jobs that have not ended, in the order of queueing: the value `open`. */
export async function openJobs(invocation: Invocation): Promise<readonly Row[]> {
  return (await invocation.get<readonly Row[]>('open')) ?? [];
}

/** Records the jobs that have not ended, and that something changed. */
export async function setOpen(invocation: Invocation, rows: readonly Row[]): Promise<void> {
  invocation.set('open', rows);
  await countChange(invocation);
}

/** Counts a change, so that `wake` notices it. */
export async function countChange(invocation: Invocation): Promise<void> {
  invocation.set('changes', ((await invocation.get<number>('changes')) ?? 0) + 1);
}

export async function workersIn(invocation: Invocation): Promise<readonly Seen[]> {
  return (await invocation.get<readonly Seen[]>('workers')) ?? [];
}

export function stateOf(
  { job, queued, isTaken, worker, stoppedBy, ending, wait }: Row,
  now: Millis,
): JobState {
  const open = isTaken ? 'taken' : 'queued';
  return {
    job,
    state: ending === undefined ? open : 'ended',
    ...(worker !== undefined && { worker }),
    ...(stoppedBy !== undefined && { stoppedBy }),
    ...(ending !== undefined && { ending }),
    ...(wait !== undefined && ending === undefined && { wait }),
    age: now - queued,
  };
}

/** The first job that the worker can do and that no earlier job keeps from its accounts. */
export function nextFor(rows: readonly Row[], worker: Worker, now: Millis): Row | undefined {
  const busy = new Set<string>();
  for (const row of inOrder(rows)) {
    const { job, free } = row;
    const isFirst = !job.accounts.some((account) => busy.has(account));
    if (isFirst && free <= now && canDo(worker, job)) return row;
    for (const account of job.accounts) busy.add(account);
  }
  return undefined;
}

/**
 * Sorts jobs: first those that a worker has, then the jobs of runs that another job waits for, then by age.
 */
export function inOrder<R extends Pick<Row, 'job' | 'isTaken' | 'wait'>>(
  rows: readonly R[],
): readonly R[] {
  const awaited = new Set(rows.flatMap(({ isTaken, wait }) => (isTaken ? [] : [wait?.run])));
  const rank = ({ isTaken, job }: R): number => (isTaken ? 0 : awaited.has(job.id) ? 1 : 2);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

function canDo({ format, profiles }: Worker, job: Row['job']): boolean {
  return job.format <= format && job.profiles.every((profile) => profiles.includes(profile));
}

export const bodyName = (id: string): string => `body ${id}`;
export const endedName = (id: string): string => `ended ${id}`;
