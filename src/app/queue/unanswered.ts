/** Queues jobs in a store that may give no answer: it is asked again for a while, and nothing is queued twice.
 */
import { second, type Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import type { AppContext } from '../app-context.ts';
import { untilAnswered } from '../store/patience.ts';
import type { Job, JobState } from '../../stores/queue.ts';
import type { Jobs } from '../../stores/job-store.ts';
import { UnreachableError } from '../../stores/store.ts';
import { hasLines } from './available.ts';

const patience: Millis = 30 * second; // longer than a failover to a standby

/**
 * Does work that queues something; a store without an answer is asked again for a while.
 * @param command queues the same
 * @throws UnreachableError that says whether something is queued, and what to do
 */
export async function queueing<C extends AppContext, T>(
  command: string,
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  try {
    return await work({ ...context, patience });
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const isUnknown = error instanceof UnknownError;
    const look = isUnknown
      ? 'see `deskhand workers`; if it is not there'
      : 'when the store answers';
    const message = isUnknown ? error.message : `${error.message}; nothing was queued`;
    throw new UnreachableError(message, `${look}: ${command}`, error);
  }
}

/** The error when the store gave no answer to a request that may have queued a job. */
class UnknownError extends UnreachableError {
  constructor({ message, hint = '' }: UnreachableError, id: string) {
    super(`${message}; it is not known whether ${plainText(id, 60)} is queued`, hint);
  }
}

/** The facts about a job when a command first asked to queue it. */
interface Asked {
  readonly at: Millis;
  /** The age of the job; undefined if it was not known. */
  readonly age: Millis | undefined;
}

/**
 * Queues a job, again if its run never began, for any reason. After a request without an answer, its effect
 * is looked up first.
 * @returns false if the job was queued before
 */
export async function queuedOnce(
  job: Job,
  { queue, runs }: Jobs,
  context: AppContext,
): Promise<boolean> {
  const { clock } = context;
  let asked: Asked | undefined;
  const attempt = async (): Promise<boolean> => {
    const known = await queue.find(job.id);
    if (known !== undefined && isSince(known, job, asked, clock.monotonic())) return true;
    const isOpen = known !== undefined && known.state !== 'ended';
    if (job.kind === 'run' && !isOpen && (await hasLines(job.id, runs))) return false;
    asked ??= { at: clock.monotonic(), age: known?.age };
    return (await queue.put(job, known !== undefined)) === 'queued';
  };
  try {
    return await untilAnswered(attempt, context);
  } catch (error) {
    if (!(error instanceof UnreachableError) || asked === undefined) throw error;
    throw new UnknownError(error, job.id);
  }
}

/** Whether a request without an answer has queued the job: the job is as young as that request. */
function isSince(
  { age, job: { by } }: JobState,
  job: Job,
  asked: Asked | undefined,
  now: Millis,
): boolean {
  if (asked === undefined || by !== job.by) return false;
  return asked.age === undefined || age <= now - asked.at + asked.age / 2;
}
