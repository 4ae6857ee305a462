/** Classifies failures of a job: those that pass, and the end that the others give it. */
import { isNativeError } from 'node:util/types';
import { RefusedError, UnavailableError } from '../../exchange/api/exchange.ts';
import { ConfigError, exits } from '../../base/error.ts';
import { ProxyError } from '../../base/proxy.ts';
import { UnreadableError } from '../../base/read-file.ts';
import { redactor, type Secret } from '../../base/secret.ts';
import { CredentialError } from '../config/credential-error.ts';
import { NewerFormatError } from '../../engine/journal/error.ts';
import { DiskError } from '../../engine/journal/file.ts';
import { LockedError } from '../../engine/journal/lock.ts';
import { AccountError } from '../../engine/journal/standing.ts';
import { ReadError } from '../../engine/plan/read-failure.ts';
import { LostRecordError } from '../../engine/runtime/lost-record.ts';
import { CheckoutError } from '../machine/checkout.ts';
import { NotContinuedError } from '../running/begun.ts';
import type { Ending, Wait } from '../../stores/queue.ts';
import { HeldError, StoreError } from '../../stores/store.ts';
import { describeError } from '../running/describe.ts';
import { UnservedError } from './served.ts';

/**
 * Whether a failure passes: another run has the account, the store gave no answer, or it has a run that only
 * a newer worker reads. None of these is about this job.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof LostRecordError) return isPassing(error.cause);
  if (error instanceof LockedError) return !error.needsPerson;
  if (error instanceof NewerFormatError) return true;
  return error instanceof StoreError || (error instanceof HeldError && error.isPassing);
}

/**
 * Whether a failure is about this machine: a disk without space, another checkout, no way to the exchange, a
 * wrong or missing key. Another machine may not have it. Nothing was sent because of it.
 */
export function isOfMachine(error: unknown): boolean {
  const isAround = error instanceof NotContinuedError || error instanceof ReadError;
  if (isAround || error instanceof LostRecordError) return isOfMachine(error.cause);
  if (error instanceof RefusedError) return error.exit === exits.credentials;
  if (isNativeError(error) && 'syscall' in error) return true;
  return machineErrors.some((Kind) => error instanceof Kind);
}

const machineErrors = [
  DiskError,
  UnreadableError,
  CheckoutError,
  ConfigError,
  CredentialError,
  AccountError,
  UnavailableError,
  ProxyError,
  UnservedError,
] as const;

/** The reason why a job waits, by a failure that passes. */
export function waitOf(error: unknown, secrets: readonly Secret[]): Wait {
  const { message, hint } = endingOf(error, secrets);
  const cause = error instanceof LostRecordError ? error.cause : error;
  const run = cause instanceof HeldError ? cause.holder : holderIn(cause);
  return {
    because: message.replace(/; nothing was sent$/, ''),
    ...(hint !== undefined && { hint }),
    ...(run !== undefined && { run }),
  };
}

/** The run that has the lock of this machine. */
function holderIn(error: unknown): string | undefined {
  return error instanceof LockedError ? error.lock?.record?.holder : undefined;
}

/** The end of a job by a failure, without the secrets of the job. */
export function endingOf(error: unknown, secrets: readonly Secret[]): Ending {
  const redact = redactor(secrets);
  const { message, hint, exit: own } = describeError(error);
  const exit = error instanceof NotContinuedError ? error.exitOfRun : own;
  const help = hint === undefined ? {} : { hint: redact(hint) };
  return { exit, message: redact(message), ...help };
}
