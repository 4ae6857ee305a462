/** Tells whether a live worker can take a job, and waits for one that does. */
import { second, type Millis } from '../../base/clock.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { listed, plainText, spoken } from '../../base/text.ts';
import type { Job, JobState, Pause, Worker } from '../../stores/queue.ts';
import { StoreError } from '../../stores/store.ts';
import type { Jobs } from '../../stores/job-store.ts';
import { userName } from '../machine/person.ts';
import { patiently, type Waiting as Asking } from './patience.ts';

/** The time between two looks at a queued job. */
export const pollMs: Millis = second / 2;

type Needs = Pick<Job, 'id' | 'profiles' | 'format'>;

/** The reason why no live worker can take a job; undefined if one can. */
async function unservedWords(job: Needs, { queue, lease }: Jobs): Promise<string | undefined> {
  const workers = await queue.workers();
  return unserved(
    job,
    workers.filter(({ silentFor }) => silentFor <= lease),
  );
}

/** @param live workers that reported within their lease */
export function unserved(
  { profiles, format }: Pick<Needs, 'profiles' | 'format'>,
  live: readonly Pick<Worker, 'name' | 'profiles' | 'format' | 'pause'>[],
): string | undefined {
  const serving = live.filter((worker) =>
    profiles.every((profile) => worker.profiles.includes(profile)),
  );
  const able = serving.filter((worker) => worker.format >= format);
  if (able.some(({ pause }) => pause === undefined)) return undefined;
  if (able.length > 0) return listed(able.map(pausedWords));
  const wanted = listed(profiles.map((each) => plainText(each, 60)));
  if (serving.length > 0) {
    const names = listed(serving.map(({ name }) => plainText(name, 80)));
    return `the workers that serve ${wanted} are of an older version of deskhand: ${names}`;
  }
  if (live.length === 0) return `no worker is running, and this needs one that serves ${wanted}`;
  const served = [...new Set(live.flatMap((worker) => worker.profiles))].toSorted();
  const all = listed(served.map((each) => plainText(each, 60)));
  return `no live worker serves ${wanted}; live workers serve ${all || 'nothing'}`;
}

function pausedWords({ name, pause }: Pick<Worker, 'name' | 'pause'>): string {
  return `${plainText(name, 80)} ${pauseWords(pause)}`;
}

/**
 * The pause of a worker: `takes nothing for a while: the disk is full`, or what to do if it does not pass.
 */
export function pauseWords(
  pause: Pause | undefined,
  left: (ms: Millis) => string = () => 'a while',
): string {
  if (pause === undefined) return '';
  const because = plainText(pause.because, 300);
  if (pause.left !== undefined) return `takes nothing for ${left(pause.left)}: ${because}`;
  const help = pause.hint === undefined ? '' : `; ${plainText(pause.hint, 300)}`;
  return `takes nothing: ${because}${help}`;
}

/** The reason why no worker can take a waiting job now. Undefined if one can, or if that is not known. */
export async function waitsUnserved(job: Needs, jobs: Jobs): Promise<string | undefined> {
  try {
    const words = await unservedWords(job, jobs);
    const isQueued = words !== undefined && (await jobs.queue.find(job.id))?.state === 'queued';
    return isQueued ? words : undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return undefined;
  }
}

export interface Waiting {
  readonly job: Job;
  /** Whether this command queued the job, so that it may withdraw it. */
  readonly isOurs: boolean;
  readonly wait: Millis;
}

/**
 * Waits until a worker takes a job, or the job ends.
 * @throws DeskhandError with exit 5 if no worker takes it in time: the job is withdrawn if it is ours; the
 * signal's reason
 */
export async function awaitTaken(
  { job, isOurs, wait }: Waiting,
  jobs: Jobs,
  signal: AbortSignal,
  { clock, say }: Pick<Asking, 'clock' | 'say'>,
): Promise<void> {
  const ask = patiently({ clock, signal, say });
  const began = clock.monotonic();
  for (;;) {
    const state = await ask(() => jobs.queue.find(job.id));
    if (state === undefined || !(await ask(() => isUntaken(state, jobs)))) return;
    const left = wait - (clock.monotonic() - began);
    if (left <= 0) break;
    await clock.sleep(Math.min(left, pollMs), signal);
  }
  const words =
    (await ask(() => unservedWords(job, jobs))) ?? 'its workers are busy, or its account is in use';
  if (isOurs && !(await ask(() => withdrawn(job.id, jobs)))) return; // a worker has just taken it
  throw notTaken(job, isOurs, wait, words);
}

/** Whether no worker has the job and its run has not begun: no worker could do it so far. */
async function isUntaken({ job, state, worker }: JobState, { runs }: Jobs): Promise<boolean> {
  if (state !== 'queued') return false;
  return worker === undefined || !(await hasLines(job.id, runs));
}

/** Whether the run of a job has begun, on any machine. */
export async function hasLines(id: string, runs: Jobs['runs']): Promise<boolean> {
  const found = await runs.lines(id, 0);
  return found !== undefined && found.count > 0;
}

/** Withdraws a job. @returns false if a worker has it */
async function withdrawn(id: string, jobs: Jobs): Promise<boolean> {
  const { queue } = jobs;
  if (await queue.withdraw(id)) return true;
  const state = await queue.find(id);
  // The job was removed or stopped before, and the answer was lost.
  if (state === undefined || (state.state === 'ended' && state.stoppedBy !== undefined))
    return true;
  return (await isUntaken(state, jobs)) && queue.stop(id, userName());
}

function notTaken({ id }: Job, isOurs: boolean, wait: Millis, words: string): DeskhandError {
  const left = isOurs ? 'it was withdrawn' : 'it stays queued, because it was queued before';
  return new DeskhandError(`no worker took ${id} within ${spoken(wait)}: ${words}; ${left}`, {
    code: 'job',
    actor: 'operator',
    exit: exits.heldBack,
    hint: 'start a worker with the key, or wait longer: see `deskhand workers`',
  });
}
