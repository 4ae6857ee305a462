/** Permanent decisions of earlier attempts of a run: steps with a recorded end that later steps depend on. */
import { exits } from '../../base/error.ts';
import { isFailure, type Closing, type Decisions, type RunAttempt } from '../journal/decisions.ts';
import type { Address, Outcome } from '../journal/entry.ts';
import { provenAt } from '../journal/replay.ts';
import type { Playbook, Step } from '../../language/playbook.ts';

/** The part of a playbook that may still be executed, and the attempt that decided the rest. */
export type Remaining =
  | { readonly what: 'all' }
  /** The playbook's `on-failure` or `finally` has sent something: its steps are not executed anymore. */
  | { readonly what: 'asides'; readonly since: RunAttempt }
  /** The step that uses the playbook has ended. */
  | { readonly what: 'nothing'; readonly since: RunAttempt };

/** @param over the attempt that ended the step that uses the playbook, if any */
export function remainingOf(
  { onFailure, finally: last }: Playbook,
  decisions: Decisions,
  over: RunAttempt | undefined,
): Remaining {
  if (over !== undefined) return { what: 'nothing', since: over };
  const acted = [...onFailure, ...last]
    .map(({ path }) => decisions.actedIn(path))
    .filter((attempt) => attempt !== undefined);
  return acted.length === 0 ? { what: 'all' } : { what: 'asides', since: Math.min(...acted) };
}

/**
 * The attempt that decided how a step ends, if any.
 * @param siblings its sibling steps, in the list of a playbook
 * @param list which list that is
 */
export function decidedIn(
  step: Step,
  siblings: readonly Step[],
  list: 'steps' | 'asides',
  { remaining, decisions }: { readonly remaining: Remaining; readonly decisions: Decisions },
): RunAttempt | undefined {
  if (isOver(list, remaining)) return remaining.since;
  return decisions.wentOnFrom(step.path, () => siblings.map(({ path }) => path));
}

/** Whether no further steps of a list may start. */
export function isOver(
  list: 'steps' | 'asides',
  remaining: Remaining,
): remaining is Exclude<Remaining, { readonly what: 'all' }> {
  return remaining.what === 'nothing' || (remaining.what === 'asides' && list === 'steps');
}

/** Whether an earlier attempt reached a step. */
export function wasBegun({ path }: Step, decisions: Decisions): boolean {
  const { opened, closed } = decisions.step(path);
  return opened.length > 0 || closed.length > 0;
}

/** The step that stopped a playbook in an attempt, if any; a doubt takes precedence. */
export function stoppedAt(
  { steps }: Playbook,
  since: RunAttempt,
  decisions: Decisions,
): Step | undefined {
  const endedAs = (of: (closing: Closing) => boolean): Step | undefined =>
    steps.find(({ path }) =>
      decisions.step(path).closed.some((closing) => closing.attempt === since && of(closing)),
    );
  return endedAs(({ status }) => status === 'doubt') ?? endedAs(isFailure);
}

/** The outcome of an action of a step that has ended. */
export type Decided =
  /** The action ended with this outcome. */
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  /** The action is done, or in doubt: it is looked up, and nothing is sent. */
  | { readonly kind: 'known' }
  /** The action was not started and will not be. */
  | { readonly kind: 'never' };

export function decidedAt(step: Step, address: Address, decisions: Decisions): Decided {
  const { outcome, openSince, isUnmet } = provenAt(decisions.known, address);
  if (openSince.length > 0) return { kind: 'known' };
  if (outcome?.kind === 'done' && isUnmet) return { kind: 'ended', outcome }; // it is not read again
  switch (outcome?.kind) {
    case 'refused':
    case 'failed':
      return { kind: 'ended', outcome };
    case 'done':
    case 'doubt':
    case 'skipped':
      return { kind: 'known' };
    case undefined: {
      const failure = decisions.step(step.path).closed.findLast(isFailure);
      return failure ? { kind: 'ended', outcome: recordedAs(failure) } : { kind: 'never' };
    }
  }
}

/** The reason for a write that is not sent anymore. */
export const decidedWords = 'the run continued without it';

/** An older record has no outcome of a failed read: the step's end has the reason. */
export function recordedAs({ status, because = '' }: Closing): Outcome {
  const kind = status === 'refused' ? 'refused' : 'failed';
  return { kind, code: 'recorded', message: because, exit: exits.stopped };
}
