/** Errors that leave the state on the exchange unknown. */
import { messageOf } from '../../base/error.ts';
import { RefusedError, UnavailableError, AnswerError } from '../../exchange/api/exchange.ts';
import { WrongFamilyError } from '../../exchange/api/family.ts';
import { NoProgressError } from '../../exchange/api/progress.ts';

/** Whether an error means that the exchange did not show whether the object exists. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof RefusedError ||
    error instanceof UnavailableError ||
    error instanceof AnswerError ||
    error instanceof NoProgressError ||
    error instanceof WrongFamilyError
  );
}

/** Describes the failure of a read, without words that could be taken for an outcome. */
export function wordsOfRead(error: unknown): string {
  if (error instanceof UnavailableError) return error.because;
  if (error instanceof RefusedError) return `${error.answer.code} ${error.answer.message}`.trim();
  return messageOf(error);
}
