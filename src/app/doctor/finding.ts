/** One check of doctor, and how to fix a problem. */
import { exits, type ExitCode } from '../../base/error.ts';

export interface Finding {
  /** What was checked: `clock`, `key`, `state folder`. */
  readonly what: string;
  /** The profile it is about, if several are checked. */
  readonly profile?: string;
  /** `unknown`: it could not be checked. */
  readonly status: 'ok' | 'warning' | 'failure' | 'unknown';
  readonly message: string;
  /** How to fix it; present for every warning and failure. */
  readonly fix?: string;
  /** The exit code of a failure; default 1. */
  readonly exit?: ExitCode;
}

/** The exit code for all of them: an invalid configuration takes precedence, then a key, then the rest. */
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
