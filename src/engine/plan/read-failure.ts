/** Errors of calls as outcomes, and a read that failed while a plan was made. */
import { DeskhandError, exits, messageOf, type ErrorDetails } from '../../base/error.ts';
import { RefusedError, UnavailableError } from '../../exchange/api/exchange.ts';
import type { Outcome } from '../journal/entry.ts';
import type { Step } from '../../language/playbook.ts';

/** An error as the outcome of a run, which is resumed; errors that are not about the call are rethrown. */
export function failureOf(error: unknown): Outcome {
  if (error instanceof RefusedError) {
    const { code, message } = error.answer;
    return {
      kind: 'refused',
      code,
      message,
      exit: error.exit,
      ...(error.hint && { hint: error.hint }),
    };
  }
  if (!(error instanceof DeskhandError) || isFinal(error)) throw error;
  const hint = error instanceof UnavailableError ? error.remedy : error.hint;
  return {
    kind: 'failed',
    code: error.code,
    message: messageOf(error),
    exit: error.exit,
    ...(hint && { hint }),
  };
}

/** Errors that end the run immediately: the disk, a stop, another run's journal, our own bugs. */
function isFinal({ code }: DeskhandError): boolean {
  return code === 'disk' || code === 'interrupted' || code === 'changed' || code === 'internal';
}

/** A read of a plan failed; nothing was sent. */
export class ReadError extends DeskhandError {
  /** The message without its place. */
  readonly words: string;

  private constructor(step: Step, address: string, words: string, details: ErrorDetails) {
    const { file, start } = step.usesAt;
    super(`${file}:${start.line}:${start.column} ${address}: ${words}`, details);
    this.words = words;
  }

  /** The error with the place of its step. @throws any error that is not about the call */
  static at(step: Step, address: string, error: unknown): ReadError {
    failureOf(error);
    if (!(error instanceof DeskhandError)) throw error;
    const { code, actor, exit, hint } = error;
    const details = { code, actor, exit, cause: error, ...(hint !== undefined && { hint }) };
    return new ReadError(step, address, wordsOf(error), details);
  }

  /** The failure in a recomputed plan. */
  static recorded(step: Step, address: string, words: string): ReadError {
    const details = { code: 'stale-plan', actor: 'reviewer', exit: exits.heldBack } as const;
    return new ReadError(step, address, words, details);
  }
}

function wordsOf(error: DeskhandError): string {
  if (!(error instanceof RefusedError)) return messageOf(error);
  const { code, message } = error.answer;
  return `refused with ${code} ${message}`.trim();
}
