/** Converts failed answers to StoreErrors that show no token. */
import type { Millis } from '../../base/clock.ts';
import { isCode, messageOf } from '../../base/error.ts';
import { plainText, spoken } from '../../base/text.ts';
import { StoreError, UnreachableError } from '../store.ts';
import type { Address } from './address.ts';

const upgradeHint =
  'start `deskhand store serve` of this version, then run: deskhand store upgrade';

/** The error for a request that failed without a response. */
export function failureOf(error: unknown, { shown }: Address): StoreError {
  if (error instanceof StoreError) return error;
  const known = conditions.find(({ codes }) => codes.some((code) => isCode(error, code)));
  if (known !== undefined)
    return new UnreachableError(`Restate at ${shown} ${known.message}`, known.hint);
  return new UnreachableError(
    `Restate at ${shown} gave no answer: ${plainText(messageOf(error), 200)}`,
    'check the server and its address, then run it again',
  );
}

export function timeoutOf(ms: Millis, { shown }: Address): StoreError {
  return new UnreachableError(
    `Restate at ${shown} gave no answer within ${spoken(ms)}`,
    'check that the server and `deskhand store serve` run, then run it again',
  );
}

/** The error for a response that refuses a request. @param text of the response */
export function refusalOf(status: number, text: string, { shown }: Address): StoreError {
  if (status === 404) {
    return new StoreError(`Restate at ${shown} does not have the service of deskhand`, upgradeHint);
  }
  if (status === 401 || status === 403) {
    return new StoreError(
      `Restate at ${shown} refused the login`,
      'check the token in the address of the store',
    );
  }
  if (status === 413) {
    return new StoreError(
      `Restate at ${shown} does not accept a message of this size`,
      'raise request-size-limit and message-size-limit in its configuration',
    );
  }
  const Failure = isPassing(status) ? UnreachableError : StoreError;
  return new Failure(
    `Restate at ${shown} reported an error: ${plainText(text, 200)} (${status})`,
    'check the server and `deskhand store serve`, then run it again',
  );
}

/** Whether the same request may succeed soon. A server that is starting has no services, which counts too. */
export function isPassing(status: number): boolean {
  return [404, 429, 502, 503, 504].includes(status);
}

/** The error when the handlers are of another version than this program. */
export function otherVersion(there: unknown, here: number, { shown }: Address): StoreError {
  if (typeof there === 'number' && there > here) {
    return new StoreError(
      `the service at ${shown} is of a newer version: ${there}, this program needs ${here}`,
      'install the version of deskhand that serves it, or a later one',
    );
  }
  return new StoreError(
    `the service at ${shown} has version ${plainText(String(there), 20)}, this program needs ${here}`,
    upgradeHint,
  );
}

interface Condition {
  /** The error codes of the system. */
  readonly codes: readonly string[];
  readonly message: string;
  readonly hint: string;
}

const conditions: readonly Condition[] = [
  {
    codes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
    message: 'is not reachable',
    hint: 'check that the server runs and that this machine may connect to it',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    message: 'is not reachable: the host name is unknown',
    hint: 'check the host in the address of the store',
  },
  {
    codes: ['ECONNRESET', 'EPIPE'],
    message: 'closed the connection',
    hint: 'run it again when the server is available',
  },
];
