/** A finding: one check of doctor, and how to fix a problem. */
import { exits, type ExitCode } from '../../base/error.ts';
import { choice, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import { exitCode } from '../../engine/journal/outcome.ts';

export const finding = record({
  /** The subject of the check: `clock`, `key`, `state folder`. */
  what: text(),
  /** The profile that was checked, if several were. */
  profile: optional(text()),
  /** The result of the check; `unknown` if it could not be made. */
  status: choice(['ok', 'warning', 'failure', 'unknown']),
  message: text(),
  /** How to fix the problem; present for every warning and failure. */
  fix: optional(text({ description: 'What to do' })),
  /** The exit code of a failure. Default: 1. */
  exit: optional(exitCode),
});

export type Finding = Infer<typeof finding>;

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
