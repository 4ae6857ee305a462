/** A finding: one check of doctor, and how to fix a problem. */
import { exits, type ExitCode } from '../../base/error.ts';

export interface Finding {
  /** The subject of the check: `clock`, `key`, `state folder`. */
  readonly what: string;
  /** The profile that was checked, if several were. */
  readonly profile?: string;
  /** The result of the check; `unknown` if it could not be made. */
  readonly status: 'ok' | 'warning' | 'failure' | 'unknown';
  readonly message: string;
  /** How to fix the problem; present for every warning and failure. */
  readonly fix?: string;
  /** The exit code of a failure. Default: 1. */
  readonly exit?: ExitCode;
}

/**
 * The exit code for all findings: that of an invalid configuration first, then that of a key, then the
 * others.
 */
export function exitOf(findings: readonly Finding[]): ExitCode {
  const codes = findings.flatMap(({ exit }) => exit ?? []);
  const order = [exits.invalid, exits.credentials, exits.heldBack];
  return order.find((code) => codes.includes(code)) ?? codes[0] ?? exits.done;
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
