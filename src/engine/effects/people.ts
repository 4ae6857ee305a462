/** How people answer the questions of a run: a port, so that a rehearsal asks nobody. */
import type { Millis } from '../../base/clock.ts';
import { ConfigError } from '../../base/error.ts';
import type { Answer } from '../journal/people-answers.ts';
import type { Event } from '../journal/entry.ts';

/** A question of a run. */
export type AskedEvent = Extract<Event, { readonly kind: 'asked' }>;

/** The answers to a question: enough of them to continue, or one that declines. */
export type Answered =
  | { readonly verdict: 'approve'; readonly answers: readonly Answer[] }
  | { readonly verdict: 'decline'; readonly answer: Answer };

export interface Answers {
  /**
   * Waits for the answer to a question.
   * @param ms the time that is left
   * @returns undefined when it is over
   * @throws DeskhandError for an answer that was changed after signing
   */
  readonly wait: (
    asked: AskedEvent,
    ms: Millis,
    stopped: AbortSignal,
  ) => Promise<Answered | undefined>;
  /** Checks recorded answers again. @throws ApprovalError when they do not count here */
  readonly confirm: (asked: AskedEvent, answers: readonly Answer[]) => Promise<void>;
}

/** Nobody can be asked: a run without a configuration knows no signers. */
export const nobody: Answers = {
  wait: () => Promise.reject(noSigners()),
  confirm: () => Promise.reject(noSigners()),
};

function noSigners(): ConfigError {
  return new ConfigError(
    'nobody can approve: the run has no list of signers',
    'add approve: { signers: ./allowed_signers } to its profile',
  );
}
