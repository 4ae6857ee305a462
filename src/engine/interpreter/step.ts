/** One step: its items in order, with the allowed concurrency, until one of them stops it. */
import type { StepStatus } from '../journal/entry.ts';
import { refuseSameFile } from '../plan/step-files.ts';
import { itemsOf, refuseFleeting, type Item } from '../plan/items.ts';
import { executedItems, refuseLostItems } from '../plan/reused-item.ts';
import { isTrue } from '../../language/expression/known.ts';
import { EvaluationError, type Scope } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import { isPartial } from '../../language/partial.ts';
import type { InterpreterContext } from './interpreter-context.ts';
import { otherThanApproved, unlikeApproved } from './approve-step.ts';
import { executeItem } from './item.ts';
import { forgottenBy, openingOf, recordedOpening } from './opening.ts';
import {
  failureFrom,
  failureOf,
  gravest,
  leftOver,
  type Failure,
  type ItemResult,
  type StepResult,
} from './outcome.ts';
import { isTooMany, recorded, withFailed } from './partial.ts';
import { sideBySide, type Routine } from './routine.ts';

/** Runs a step and closes it in the journal. */
export function* executeStep(
  step: Step,
  scope: Scope,
  context: InterpreterContext,
): Routine<StepResult> {
  const result = yield* tryStep(step, scope, context);
  context.durable.emit({
    kind: 'closed',
    step: step.path,
    status: result.status,
    ...(result.because !== undefined && { because: result.because }),
    ...(result.hint !== undefined && { hint: result.hint }),
    ...(result.failure && !stopsLater(step, result) && { continues: true }),
    ...(result.failure && result.failed && { failed: result.failed.map(recorded) }),
  });
  return result;
}

/**
 * Whether the failure of a step, or of one of its items, ends what follows: the failure of a chart never does.
 */
export function stops(
  { onError, uses }: Step,
  { failure, status }: Pick<StepResult, 'failure' | 'status'>,
): boolean {
  if (failure === undefined || uses === 'report/chart') return false;
  return onError === 'stop' || status === 'doubt' || failure.code === otherThanApproved;
}

/** Whether the result of a step ends later steps: a partial one does if no item succeeded. */
export function stopsLater(step: Step, result: StepResult): boolean {
  if (stops(step, result)) return true;
  if (result.failure === undefined || step.uses === 'report/chart') return false;
  return isPartial(step) && !result.items.some(({ status }) => status === 'done');
}

function* tryStep(step: Step, scope: Scope, context: InterpreterContext): Routine<StepResult> {
  if (context.drain.aborted) return { status: 'interrupted', items: [] };
  try {
    if (isSkippedWhole(step, scope)) {
      return { status: 'skipped', because: 'its condition is false', items: [] };
    }
    const found = itemsOf(step, scope, context.playbook.itemsMax);
    if ('after' in found)
      throw new EvaluationError(`its items are known only after ${found.after}`);
    refuseFleeting(step, found.items, context.naming);
    refuseLostItems(step, found.items, context.reusedItems, context.own.profile);
    refuseSameFile(step, found.items, context.reusedItems);
    const unlike = unlikeApproved(step, scope, context);
    if (unlike !== undefined) return failed([], unlike);
    const executed = executedItems(step, found.items, context.reusedItems);
    const opening = openingOf(step, executed, scope, context);
    context.durable.emit(recordedOpening(opening, context));
    const forgotten = forgottenBy(opening, context);
    if (forgotten !== undefined) return failed([], forgotten);
    const { results, isWhole } = yield* runItems(step, found.items, context);
    const result = withFailed(step, found.items, resultOf(results), context);
    if (found.items.length === 0) return { ...result, because: 'no items' };
    return isWhole || result.failure
      ? result
      : { ...result, ...failed(results, leftOver(step.path)) };
  } catch (error) {
    const failure = failureFrom(step.path, step.path, failureOf(error));
    if (failure === undefined) throw error;
    return failed([], failure);
  }
}

/** Whether a whole step is skipped: a condition that does not use `each` decides for all items. */
function isSkippedWhole(step: Step, scope: Scope): boolean {
  if (step.condition === undefined) return false;
  const looksAtItem = step.condition.references.some(({ root }) => root === 'each');
  return !looksAtItem && !isTrue(step.condition, scope);
}

/**
 * @returns the outcome of the items, and whether none was left out because of an earlier decision
 */
function* runItems(
  step: Step,
  items: readonly Item[],
  context: InterpreterContext,
): Routine<{ readonly results: ItemResult[]; readonly isWhole: boolean }> {
  const results: ItemResult[] = [];
  let next = 0;
  let isStopped = false;
  let failures = 0;
  let isWhole = true;
  const run = function* run(item: Item, index: number): Routine<void> {
    const result = yield* executeItem(step, item, context);
    if (result === undefined) {
      isWhole = false;
      return;
    }
    results[index] = result;
    if (context.isReading) return;
    isStopped ||= result.status === 'interrupted';
    if (context.decided !== undefined) return; // started items are awaited, whatever the outcome of the others
    if (result.failure !== undefined) failures += 1;
    isStopped ||= stops(step, result) || isTooMany(step, failures);
  };
  yield* sideBySide((running) => {
    const item = items[next];
    if (isStopped || item === undefined || running >= step.parallel) return undefined;
    return run(item, next++);
  });
  return { results: results.filter((result) => result !== undefined), isWhole };
}

function resultOf(items: readonly ItemResult[]): StepResult {
  const failures = items.map(({ failure }) => failure).filter((failure) => failure !== undefined);
  const failure = gravest(failures);
  if (failure !== undefined) return failed(items, failure);
  const status: StepStatus = items.some((item) => item.status === 'interrupted')
    ? 'interrupted'
    : items.length > 0 && items.every((item) => item.status === 'skipped')
      ? 'skipped'
      : 'done';
  const because = items.find((item) => item.because !== undefined)?.because;
  const abandoned = items.find((item) => item.abandoned !== undefined)?.abandoned;
  return {
    status,
    items,
    ...(status === 'skipped' && because !== undefined && { because }),
    ...(abandoned && { abandoned }),
  };
}

function failed(items: readonly ItemResult[], failure: Failure): StepResult {
  const { status, message: because, hint } = failure;
  return { status, because, ...(hint !== undefined && { hint }), items, failure };
}
