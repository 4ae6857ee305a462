/** The queue of a shared store: work for any worker that has the keys for it.
 *
 * It is a list of work to do, not a lock: a job may be delivered twice. Whether a run may send anything is
 * decided by its claim alone, as for every other process.
 */
import type { Millis } from '../base/clock.ts';
import { exits, type ExitCode } from '../base/error.ts';
import { isNestedDeeper, isRecord, type Json } from '../base/json.ts';

export interface Job {
  /** The id of the job: that of its run, or for a plan any id. */
  readonly id: string;
  readonly kind: 'plan' | 'run' | 'resume';
  /** The name of the playbook, for people. */
  readonly playbook: string;
  /** Every profile whose key the job needs. */
  readonly profiles: readonly string[];
  /**
   * Names of the accounts that the job writes to: jobs with a common one are taken in the order of queueing.
   */
  readonly accounts: readonly string[];
  /** Version of `body`: a worker takes only what it can read. */
  readonly format: number;
  /** The person who queued the job, for people. */
  readonly by: string;
  /**
   * What the job needs besides the worker's files; never a secret. The body of a plan job is deleted at its
   * end.
   */
  readonly body: Json;
}

/** How a job ended. */
export interface Ending {
  readonly exit: ExitCode;
  /** The message for people, one line. */
  readonly message: string;
  readonly hint?: string;
  /** The result of the job; absent if its worker refused it, or it was stopped before it began. */
  readonly result?: Json;
}

/** The reason why a job that was given back is not done yet. */
export interface Wait {
  /** The reason for people, one line. */
  readonly because: string;
  readonly hint?: string;
  /** The run that has one of its accounts: the job of that run goes before this one. */
  readonly run?: string;
}

/** A pause of a worker: it takes nothing for a while, because something on its machine prevented a job. */
export interface Pause extends Wait {
  /** Ids of the jobs that the worker gave back because of the pause. */
  readonly jobs: readonly string[];
  /** How long the pause lasts, counted from the report. Absent: until a person acts. */
  readonly left?: Millis;
}

/** A process that takes jobs. */
export interface Worker {
  /** The name of the worker, unique among running workers. */
  readonly name: string;
  readonly host: string;
  /** The version of deskhand that the worker runs. */
  readonly version: string;
  /** The newest format of jobs that the worker reads. */
  readonly format: number;
  /** Profiles whose keys the worker has. */
  readonly profiles: readonly string[];
  readonly slots: number;
  /** The pause of the worker; absent while it takes jobs. */
  readonly pause?: Pause;
}

export interface JobState {
  /** The job without its body, which may be large. */
  readonly job: Omit<Job, 'body'>;
  readonly state: 'queued' | 'taken' | 'ended';
  /** The worker that has the job, or had it last. */
  readonly worker?: string;
  /** The person who asked for the end of the job. */
  readonly stoppedBy?: string;
  /** How the job ended; present when it has. */
  readonly ending?: Ending;
  /** Why the job waits; present when it was given back with a reason, until it ends. */
  readonly wait?: Wait;
  /** Time since the job was queued last, by the clock of the store. */
  readonly age: Millis;
}

/** The queue of jobs. Every method throws StoreError when the store gave no answer. */
export interface JobQueue {
  /**
   * Queues a job. `known`: a job with this id is queued, taken, or ended.
   * @param isAgain whether it is queued again if it has ended; default: a `resume` is
   */
  put(job: Job, isAgain?: boolean): Promise<'queued' | 'known'>;
  /**
   * Takes the oldest job that the worker can do: queued, or taken by a worker whose lease is over. It takes
   * no job that shares an account with an older job that has not ended, even if no worker can do that one,
   * and none of a newer format than the worker's. The job of a run that another job waits for counts as older
   * than all jobs without a worker.
   * @param lease how long the job is taken unless it is prolonged
   * @param writes the job has at least this format from then on, because older workers may not read its
   * journal any more; default: the worker's format
   */
  take(worker: Worker, lease: Millis, writes?: number): Promise<Job | undefined>;
  /**
   * Reports that a worker is alive, and prolongs its jobs, also after their lease if no other worker took
   * them.
   * @returns the jobs of the worker. If one that it is doing is missing, another worker took it. If it is not
   * doing one that is listed, the answer to its take was lost: it gives that job back.
   */
  beat(worker: Worker, lease: Millis): Promise<readonly Beat[]>;
  /**
   * Gives a job back: it continues with any worker, at the earliest after `delay`. It ends instead if its end
   * was requested. No effect if the worker does not have it.
   * @param wait why it was not done; default: no reason
   */
  giveBack(worker: string, id: string, delay: Millis, wait?: Wait): Promise<void>;
  /** Ends a job. No effect if the worker does not have it. */
  finish(worker: string, id: string, ending: Ending): Promise<void>;
  /**
   * Asks for the end of a job: `beat` reports it to the worker that has it. A queued job ends immediately.
   * @returns false if it has ended, or is not known
   */
  stop(id: string, by: string): Promise<boolean>;
  /**
   * Removes a job that no worker has taken yet, as if it had not been queued.
   * @returns false if a worker has or had it, if it has ended, or is not known
   */
  withdraw(id: string): Promise<boolean>;
  find(id: string): Promise<JobState | undefined>;
  /** Jobs that have not ended, in the order of queueing. */
  list(): Promise<readonly JobState[]>;
  /** Records that a worker has ended. */
  leave(worker: string): Promise<void>;
  /** Workers by name, with the time since each reported last. One that is silent for a day is forgotten. */
  workers(): Promise<readonly (Worker & { readonly silentFor: Millis })[]>;
  /**
   * Resolves when a job may be available or may have ended since the last call, at the latest after
   * `atMost`, and when the signal aborts. It also resolves when it begins to listen, as in the first
   * call. It never rejects, and keeps no process alive. Only one loop may call it.
   */
  wake(atMost: Millis, signal: AbortSignal): Promise<void>;
}

export interface Beat {
  readonly id: string;
  readonly stoppedBy?: string;
}

/** Reads the stored reason of a job that waits, or of a worker's pause; undefined for anything else. */
export function waitIn(text: string): Wait | undefined {
  const value = recordIn(text);
  if (value === undefined) return undefined;
  const { because, hint, run } = value;
  if (typeof because !== 'string') return undefined;
  return {
    because,
    ...(typeof hint === 'string' && { hint }),
    ...(typeof run === 'string' && { run }),
  };
}

export function pauseIn(text: string): Pause | undefined {
  const wait = waitIn(text);
  const { jobs, left } = recordIn(text) ?? {};
  const isLeft = left === undefined || typeof left === 'number';
  if (wait === undefined || !Array.isArray(jobs) || !isLeft) return undefined;
  const ids = jobs.filter((id) => typeof id === 'string');
  return { ...wait, jobs: ids, ...(left !== undefined && { left }) };
}

function recordIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the stored ending of a job. Any other text means that it ended in an unknown way, so a run is in
 * doubt.
 */
export function endingIn(text: string, { kind }: Pick<Job, 'kind'>): Ending {
  try {
    const value: unknown = JSON.parse(text);
    if (isEnding(value)) return value;
  } catch {
    // A text that is not JSON is treated like an ending that cannot be read.
  }
  return {
    exit: kind === 'plan' ? exits.stopped : exits.inDoubt,
    message: 'how it ended cannot be read',
    hint: 'find out who wrote to the database; the journal of a run shows what it sent',
  };
}

function isEnding(value: unknown): value is Ending {
  if (!isRecord(value) || isNestedDeeper(value, endingDepth)) return false;
  const { exit, message, hint } = value;
  const isKnown = Object.values(exits).some((each) => each === exit);
  const isHint = hint === undefined || typeof hint === 'string';
  return isKnown && typeof message === 'string' && isHint;
}

const endingDepth = 32; // of its result

/** The ending of a job that was stopped while no worker had it. */
export function stoppedEnding(by: string): Ending {
  return { exit: exits.interrupted, message: `stopped by ${by} while no worker had it` };
}
