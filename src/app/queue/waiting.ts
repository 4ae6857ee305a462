/** Tells what a queued job waits for: a worker, an account that a run has, or a machine that can do it. */
import { plainText } from '../../base/text.ts';
import { moment } from '../../report/words.ts';
import type { Jobs } from '../../stores/job-store.ts';
import type { JobState, Worker } from '../../stores/queue.ts';
import type { SharedClaim } from '../../stores/shared/shared-runs.ts';
import { unserved } from './available.ts';

/** The queue at one moment. */
export interface QueueView {
  /** Jobs that have not ended, in the order of queueing. */
  readonly open: readonly JobState[];
  /** Workers that reported within their lease. */
  readonly live: readonly Worker[];
  /** The accounts that runs have claimed. */
  readonly claims: readonly Pick<SharedClaim, 'run' | 'since'>[];
}

/** The parts of the store that the queue is read from. */
export interface QueueSource extends Pick<Jobs, 'queue' | 'lease'> {
  readonly runs: Pick<Jobs['runs'], 'claims'>;
}

export async function queueView({ queue, runs, lease }: QueueSource): Promise<QueueView> {
  const [open, workers, claims] = await Promise.all([queue.list(), queue.workers(), runs.claims()]);
  return { open, live: workers.filter(({ silentFor }) => silentFor <= lease), claims };
}

/** The reason why a job waits; undefined for a job that a worker has. */
export function waitWords(state: JobState, view: QueueView): string | undefined {
  const { job, wait } = state;
  if (state.state !== 'queued') return undefined;
  const before = earlierOf(state, view.open);
  const words = [
    unserved(job, view.live),
    wait && plainText(wait.because, 300),
    before && behindWords(before, view),
  ].filter((each) => each !== undefined);
  return words.length > 0 ? [...new Set(words)].join('; ') : 'for a free worker';
}

/** The earlier job that a worker takes first at one of the accounts of a job. */
function earlierOf({ job, wait }: JobState, open: readonly JobState[]): JobState | undefined {
  const others = open.filter(
    (other) =>
      other.job.id !== job.id && other.job.accounts.some((each) => job.accounts.includes(each)),
  );
  const at = open.findIndex((other) => other.job.id === job.id);
  return (
    others.find((other) => other.state === 'taken' || other.job.id === wait?.run) ??
    others.find((other) => open.indexOf(other) < at)
  );
}

/** Describes the job in front: `desk-1 has r-1 (ladder) on its account since 2026-11-20 00:41:07 UTC`. */
function behindWords({ job, state, worker }: JobState, { claims }: QueueView): string {
  const what = `${plainText(job.id, 64)} (${plainText(job.playbook, 60)})`;
  if (state !== 'taken') return `${what} goes first at its account`;
  const since = claims.find(({ run }) => run === job.id)?.since;
  const from = since === undefined ? '' : ` since ${moment(since)} UTC`;
  return `${plainText(worker ?? 'a worker', 80)} has ${what} on its account${from}`;
}

/** The line about a job for people who follow it. */
export function noteOf(state: JobState, view: QueueView): string {
  const words = waitWords(state, view);
  if (words !== undefined) return `waits: ${words}`;
  return `was taken by ${plainText(state.worker ?? 'a worker', 80)}`;
}
