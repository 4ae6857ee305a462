/** Which errors leave open what the exchange knows. */
import { RefusedError, UnavailableError, AnswerError } from '../api/exchange.ts';
import { NoProgressError } from '../api/progress.ts';

/** The exchange said nothing of what was asked: neither that it is there nor that it is not. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof RefusedError ||
    error instanceof UnavailableError ||
    error instanceof AnswerError ||
    error instanceof NoProgressError
  );
}
