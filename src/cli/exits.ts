/** Exit codes, and errors as text for people. */
import { isNativeError } from 'node:util/types';
import { exits, messageOf, type ExitCode } from '../base/error.ts';
import { describeError, type Described } from '../app/running/describe.ts';
import type { ErrorReport } from '../app/documents/common.ts';
import { redactor } from '../base/secret.ts';
import { plainText } from '../base/text.ts';
import type { Context } from './context.ts';
import { isLog } from './screens/log-channel.ts';

/** The meaning of each exit code, for `help exit-codes`. */
export const exitMeanings: readonly (readonly [ExitCode, string])[] = [
  [exits.done, 'done'],
  [exits.stopped, 'stopped: a step failed or was refused; every outcome is known'],
  [exits.usage, 'the command line is not valid'],
  [exits.invalid, 'the playbook or the configuration is not valid; nothing was sent'],
  [
    exits.credentials,
    'a key, passphrase or permission is missing, or the exchange refused it or the clock',
  ],
  [
    exits.heldBack,
    'blocked by a guard, a stale plan, a lock or a missing approval; nothing was sent',
  ],
  [exits.inDoubt, 'in doubt: the outcome of at least one request is unknown'],
  [exits.changes, 'changes or differences: plan --exit-code, drift, call --strict'],
  [exits.interrupted, 'interrupted (Ctrl-C); the journal is intact'],
  [exits.terminated, 'terminated; the journal is intact'],
];

/** Prints an error and returns the exit code. */
export function reportError(error: unknown, context: Context): ExitCode {
  const { terminal, globals } = context;
  const redact = redactor(context.secrets);
  const { code, message, hint, exit } = printError(error, context);
  if (globals.output === 'json' || globals.output === 'ndjson') {
    const safe = {
      code,
      message: redact(message),
      ...(hint !== undefined && { hint: redact(hint) }),
    };
    const report: ErrorReport = { version: 1, error: safe, exit };
    terminal.out.json(report);
  }
  return exit;
}

/** Prints an error for a person. */
export function printError(error: unknown, { terminal, globals, secrets }: Context): Described {
  const redact = redactor(secrets);
  const described = describeError(error);
  const { code, message, hint } = described;
  if (isLog(terminal.err)) {
    const help = hint === undefined ? undefined : plainText(redact(hint));
    terminal.err.log('error', plainText(redact(message)), { code, help });
    if (globals.logLevel === 'debug') terminal.err.log('debug', redact(traceOf(error)));
    return described;
  }
  const { paint } = terminal.err.theme;
  terminal.err.line(`${paint('bad', 'error')}[${code}] ${plainText(redact(message))}`);
  if (hint !== undefined && !message.includes(hint))
    terminal.err.line(`  ${paint('command', 'help')}  ${plainText(redact(hint))}`);
  if (globals.logLevel === 'debug') terminal.err.line(redact(traceOf(error)));
  return described;
}

function traceOf(error: unknown): string {
  const lines: string[] = [];
  for (let at: unknown = error; at !== undefined && lines.length < 5;) {
    lines.push(isNativeError(at) ? (at.stack ?? at.message) : messageOf(at));
    at = isNativeError(at) ? at.cause : undefined;
  }
  return lines.join('\ncaused by ');
}
