/** The exit code of a run: 3 guarantees that nothing was sent. */
import { DeskhandError, exits, type ExitCode } from '../../base/error.ts';
import type { Entry } from '../journal/entry.ts';
import { mayHaveSent } from '../journal/possible.ts';
import { hasOpenWrite } from '../journal/replay.ts';
import { outboundIn } from '../plan/outbound.ts';
import type { RunResult } from '../interpreter/interpret.ts';

/** The result of a run; a problem found after something was sent exits as a stop, not as invalid. */
export function exitAfter(result: RunResult, entries: readonly Entry[]): RunResult {
  const isWrong = result.exit === exits.invalid && hasSent(entries);
  return isWrong ? { ...result, exit: exits.stopped } : result;
}

/**
 * Returns an error that ends a run immediately; one found after something was sent exits as a stopped
 * run.
 */
export function errorAfter(error: unknown, entries: readonly Entry[]): unknown {
  return isInvalid(error) && hasSent(entries) ? withExit(error, exits.stopped) : error;
}

/**
 * Returns an error that prevents a started run from being resumed or resolved, with the exit code of
 * what the run sent.
 * @param entries its record; undefined if it cannot be read, and then it may have sent something
 */
export function errorOfBegun(error: unknown, entries: readonly Entry[] | undefined): unknown {
  const hasBegun = entries === undefined || mayHaveSent(entries) || hasSent(entries);
  if (!isInvalid(error) || !hasBegun) return error;
  const isOpen = entries !== undefined && hasOpenWrite(entries);
  return withExit(error, isOpen ? exits.inDoubt : exits.stopped);
}

function isInvalid(error: unknown): error is DeskhandError {
  return error instanceof DeskhandError && error.exit === exits.invalid;
}

function withExit(error: DeskhandError, exit: ExitCode): DeskhandError {
  const { code, actor, hint } = error;
  return new DeskhandError(error.message.replace(/; nothing was sent$/, ''), {
    code,
    actor,
    exit,
    ...(hint !== undefined && { hint }),
    cause: error,
  });
}

function hasSent(entries: readonly Entry[]): boolean {
  return entries.some(({ kind }) => kind === 'intended') || outboundIn(entries).size > 0;
}
