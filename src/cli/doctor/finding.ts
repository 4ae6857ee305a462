/** One thing a doctor looked at, and what to do about it. */
import { exits, type ExitCode } from '../../base/error.ts';

export interface Finding {
  /** What was looked at: `clock`, `key`, `state folder`. */
  readonly what: string;
  /** The profile it is about, where several are looked at. */
  readonly profile?: string;
  /** `unknown`: it could not be looked at, and may be either. */
  readonly status: 'ok' | 'warning' | 'failure' | 'unknown';
  readonly message: string;
  /** What to do; there with every warning and failure. */
  readonly fix?: string;
  /** Which code a failure leaves with; 1 when absent. */
  readonly exit?: ExitCode;
}

export const ok = (what: string, message: string): Finding => ({ what, status: 'ok', message });

export const warning = (what: string, message: string, fix: string): Finding => ({
  what,
  status: 'warning',
  message,
  fix,
});

export const failure = (
  what: string,
  message: string,
  fix: string,
  exit: ExitCode = exits.stopped,
): Finding => ({ what, status: 'failure', message, fix, exit });

export const unknown = (what: string, message: string): Finding => ({
  what,
  status: 'unknown',
  message,
});
