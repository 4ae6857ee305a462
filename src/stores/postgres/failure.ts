/** Converts errors of the driver to StoreErrors that show neither user nor password. */
import type { Millis } from '../../base/clock.ts';
import { isCode, messageOf } from '../../base/error.ts';
import { plainText, spoken } from '../../base/text.ts';
import { StoreError, UnreachableError } from '../store.ts';
import type { Address } from './address.ts';

/**
 * The StoreError for an error of the driver. It has no cause: the driver's error may contain the user, and
 * values of a statement.
 */
export function failureOf(error: unknown, address: Address): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open') {
    return new StoreError(
      'a certificate or key of the database is not readable',
      'check sslrootcert, sslcert and sslkey in the URL of the database',
    );
  }
  const known = conditions.find(({ codes }) => codes.some((code) => isCode(error, code)));
  const database = `the database at ${address.shown}`;
  if (known !== undefined) {
    const Failure = known.isPassing === true ? UnreachableError : StoreError;
    return new Failure(`${database} ${known.message}`, known.hint);
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = plainText(withoutLogin(messageOf(error), address), 200);
  return sqlState.test(code)
    ? new StoreError(`${database} reported an error: ${message} (${code})`, unknownHint)
    : new UnreachableError(`${database} gave no answer: ${message || code}`, unknownHint);
}

const sqlState = /^[0-9A-Z]{5}$/;
const unknownHint = 'check the database and its URL, then run it again';

export function timeoutOf(ms: Millis, address: Address): StoreError {
  return new UnreachableError(
    `the database at ${address.shown} gave no answer within ${spoken(ms)}`,
    'check the database and the network, then run it again',
  );
}

interface Condition {
  /** The error codes: those of the system, or SQLSTATE. */
  readonly codes: readonly string[];
  readonly message: string;
  readonly hint: string;
  /** Whether the failure may end without a person. */
  readonly isPassing?: true;
}

const conditions: readonly Condition[] = [
  {
    codes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOENT', 'EACCES'],
    message: 'is not reachable',
    hint: 'check that the database runs and that this machine may connect to it',
    isPassing: true,
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    message: 'is not reachable: the host name is unknown',
    hint: 'check the host in the URL of the database',
    isPassing: true, // while the network of containers starts
  },
  {
    codes: ['ECONNRESET', 'EPIPE', '57P01', '57P02', '57P05', '25P03'],
    message: 'closed the connection',
    hint: 'run it again when the database is available',
    isPassing: true,
  },
  {
    codes: ['57P03'],
    message: 'is starting or stopping',
    hint: 'run it again when the database is available',
    isPassing: true,
  },
  {
    codes: ['28P01', '28000'],
    message: 'refused the login',
    hint: 'check user and password in the URL of the database',
  },
  {
    codes: ['3D000'],
    message: 'does not exist',
    hint: 'create it, or correct the URL of the database',
  },
  {
    codes: ['42P01', '3F000', '42883'],
    message: 'has no tables of deskhand',
    hint: 'create them: deskhand store upgrade',
  },
  {
    codes: ['42501'],
    message: 'refused access to its tables',
    hint: 'grant this user all privileges on the schema deskhand and its tables',
  },
  {
    codes: ['25006', '55000'],
    message: 'is a standby',
    hint: 'use the address of the primary in the URL of the database',
  },
  {
    codes: ['53300'],
    message: 'has too many connections',
    hint: 'raise max_connections, or start fewer processes',
    isPassing: true,
  },
  {
    codes: ['53100', '53200'],
    message: 'has no space left',
    hint: 'free disk space or memory of the database',
  },
  {
    codes: ['57014'],
    message: 'took too long',
    hint: 'check the load of the database, then run it again',
    isPassing: true,
  },
  {
    codes: ['40001', '40P01'],
    message: 'cancelled a statement because of another one',
    hint: 'run it again',
    isPassing: true,
  },
];

function withoutLogin(message: string, { hidden }: Address): string {
  const quoted = message.replaceAll(/(user|role) "[^"]*"/g, '$1 "•••"');
  return hidden.reduce((left, value) => left.replaceAll(value, '•••'), quoted);
}
