/** Failures of a job: those that pass, and how the others end it. */
import { redactor, type Secret } from '../../base/secret.ts';
import { NewerFormatError } from '../../journal/error.ts';
import { LockedError } from '../../journal/lock.ts';
import { LostRecordError } from '../../runtime/run.ts';
import type { Ending } from '../../state-store/queue.ts';
import { HeldError, StoreError } from '../../state-store/store.ts';
import { describeError } from '../../session/running/describe.ts';

/**
 * Another run has the account, the store gave no answer, or it has a run that only a newer worker
 * reads: none of them is about this job.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof LostRecordError) return isPassing(error.cause);
  if (error instanceof LockedError) return !error.needsPerson;
  if (error instanceof NewerFormatError) return true;
  return error instanceof StoreError || (error instanceof HeldError && error.isPassing);
}

/** Without the secrets of the job. */
export function endingOf(error: unknown, secrets: readonly Secret[]): Ending {
  const redact = redactor(secrets);
  const { message, hint, exit } = describeError(error);
  const help = hint === undefined ? {} : { hint: redact(hint) };
  return { exit, message: redact(message), ...help };
}
