/** Walks a playbook step by step, the run's own or a nested one. */
import type { Scope } from '../../language/expression/value.ts';
import { awaitedBy } from '../../language/expressions.ts';
import { isPartial } from '../../language/partial.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import { decidedIn, remainingOf, stoppedAt, wasBegun, type Remaining } from '../plan/decided.ts';
import type { Decisions } from '../journal/decisions.ts';
import { missingApproval } from './approve-step.ts';
import type { InterpreterContext } from './interpreter-context.ts';
import {
  gravest,
  leftOver,
  type Abandoned,
  type Failure,
  type StepResult,
  type Walked,
} from './outcome.ts';
import { readySteps } from './ready-steps.ts';
import { sideBySide, type Routine } from './routine.ts';
import { afterReused } from './reused.ts';
import { withFailure, withStep } from './scope.ts';
import { executeStep, stopsLater } from './step.ts';

/**
 * Executes the steps of a playbook, then those at its end. A step with needs waits for them and for
 * the steps it reads; any other waits for all earlier steps.
 */
export function* walk(start: Scope, context: InterpreterContext): Routine<Walked> {
  const { playbook, decisions } = context;
  const remaining = remainingOf(playbook, decisions, context.over);
  const { scope: first, results: ended } = afterReused(start, context);
  let scope = first;
  let failure: Failure | undefined;
  let abandoned: Abandoned | undefined;
  let isInterrupted = false;
  let isStopped = false;
  const isOver = remaining.what !== 'all';
  const rest = playbook.steps.filter(({ id }) => !ended.has(id));
  const left = readySteps(
    rest.filter((step) => !isOver || wasBegun(step, decisions)),
    (id) => ended.has(id),
  );
  const begin = function* begin(step: Step): Routine<void> {
    const reason = reasonToSkip(step, ended, context);
    const result = reason
      ? skip(step, reason, context)
      : yield* executeStep(
          step,
          scope,
          contextOf(step, 'steps', playbook.steps, remaining, context),
        );
    const isStopping = stopsLater(step, result);
    ended.set(step.id, isPartial(step) && !isStopping ? usable(result) : result);
    left.end(step.id);
    scope = withStep(scope, step, result);
    failure = gravest([failure, result.failure].filter(isThere));
    abandoned ??= result.abandoned;
    isInterrupted ||= result.status === 'interrupted';
    isStopped ||= !context.isReading && (isInterrupted || (!isOver && isStopping));
  };
  yield* sideBySide((running) => {
    if (isStopped || running >= playbook.parallel) return undefined;
    const step = left.next(running);
    return step && begin(step);
  });
  if (isInterrupted || context.drain.aborted) {
    return { scope, results: ended, isInterrupted: true, ...(failure && { failure }) };
  }
  failure ??= leftOverOf(playbook, remaining, decisions);
  const asides = [
    ...(failure ? yield* runOnFailure(scope, failure, remaining, context) : []),
    ...(yield* runAside(playbook.finally, scope, remaining, context)),
  ];
  failure = gravest([failure, ...asides.map((aside) => aside.failure)].filter(isThere));
  isInterrupted = failure === undefined && asides.some(({ status }) => status === 'interrupted');
  const why = { ...(failure && { failure }), ...(abandoned && { abandoned }) };
  return { scope, results: ended, isInterrupted, ...why };
}

/** The result of a partial step for the steps that need it: with the items that succeeded, it is done. */
function usable({ failure: _failure, ...result }: StepResult): StepResult {
  return result;
}

function isThere(failure: Failure | undefined): failure is Failure {
  return failure !== undefined;
}

/** The context of a step, with earlier decisions about it. */
function contextOf(
  step: Step,
  list: 'steps' | 'asides',
  siblings: readonly Step[],
  remaining: Remaining,
  context: InterpreterContext,
): InterpreterContext {
  const { decisions } = context;
  const decided = decidedIn(step, siblings, list, { remaining, decisions });
  return decided === undefined ? context : { ...context, decided };
}

/**
 * The failure of a playbook that was stopped, although every step it reached turned out to be done:
 * a doubt was settled since.
 */
function leftOverOf(
  playbook: Playbook,
  remaining: Remaining,
  decisions: Decisions,
): Failure | undefined {
  if (remaining.what === 'all') return undefined;
  const missing = playbook.steps.find((step) => !wasBegun(step, decisions));
  const step = stoppedAt(playbook, remaining.since, decisions) ?? missing;
  return step && leftOver(step.path);
}

/** Executes the steps of `on-failure` with the reason for the stop, also after a resume. */
function* runOnFailure(
  scope: Scope,
  failure: Failure,
  remaining: Remaining,
  context: InterpreterContext,
): Routine<StepResult[]> {
  const { onFailure } = context.playbook;
  const { step, code, message } = failure;
  const first =
    remaining.what === 'all'
      ? undefined
      : onFailure
          .flatMap(({ path }) => context.decisions.step(path).opened)
          .find(({ attempt }) => attempt === remaining.since)?.failure;
  const reason = first ?? { step, code, message };
  return yield* runAside(onFailure, withFailure(scope, reason), remaining, {
    ...context,
    failure: reason,
  });
}

/** Runs the steps of `on-failure` or `finally`: each is tried, even after a failed one. */
function* runAside(
  steps: readonly Step[],
  scope: Scope,
  remaining: Remaining,
  context: InterpreterContext,
): Routine<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    if (remaining.what === 'nothing' && !wasBegun(step, context.decisions)) continue;
    results.push(
      yield* executeStep(step, scope, contextOf(step, 'asides', steps, remaining, context)),
    );
  }
  return results;
}

/**
 * The first needed step that was not done; for one that is only read, only a person's statement
 * counts.
 */
function reasonToSkip(
  step: Step,
  ended: ReadonlyMap<string, StepResult>,
  context: InterpreterContext,
): Reason | undefined {
  const missing = missingApproval(step, ended, context);
  if (missing !== undefined) {
    return { missing, because: `it needs the approval ${missing}, which it did not get` };
  }
  for (const other of awaitedBy(step)) {
    const { failure, abandoned, missing: before } = ended.get(other) ?? {};
    const because = (why: string): string => `it needs ${other}, which ${why}`;
    if (abandoned) return { missing: other, because: because('a person abandoned'), abandoned };
    if (!step.needs.includes(other)) continue;
    if (failure !== undefined) return { missing: other, because: because('failed') };
    if (before !== undefined) return { missing: other, because: because('was skipped') };
  }
  return undefined;
}

type Reason = Pick<StepResult, 'abandoned'> & {
  readonly missing: string;
  readonly because: string;
};

function skip(step: Step, reason: Reason, context: InterpreterContext): StepResult {
  const { because, missing } = reason;
  context.durable.emit({ kind: 'closed', step: step.path, status: 'skipped', because, missing });
  return { status: 'skipped', items: [], ...reason };
}
