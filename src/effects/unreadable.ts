/** Errors that leave the state on the exchange unknown. */
import { RefusedError, UnavailableError, AnswerError } from '../api/exchange.ts';
import { NoProgressError } from '../api/progress.ts';

/** The exchange did not show whether the object exists. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof RefusedError ||
    error instanceof UnavailableError ||
    error instanceof AnswerError ||
    error instanceof NoProgressError
  );
}
