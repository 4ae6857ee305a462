/** How an `approve` step ends without an approval: both are decisions, which no resume asks about again. */
import type { Outcome } from './entry.ts';

/** A person who may approve declined. */
export const declinedCode = 'declined';

/** Nobody, or too few, approved in time. */
export const unansweredCode = 'unanswered';

export function isUnapproved(outcome: Outcome | undefined): boolean {
  if (outcome?.kind !== 'failed') return false;
  return outcome.code === declinedCode || outcome.code === unansweredCode;
}
