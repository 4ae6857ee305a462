/** One step: its items in order, as many at once as it allows, until one of them stops it. */
import type { StepStatus } from '../journal/entry.ts';
import { itemsOf, type Item } from '../plan/items.ts';
import { isTrue } from '../playbook/expression/known.ts';
import { EvaluationError, type Scope } from '../playbook/expression/value.ts';
import type { Step } from '../playbook/playbook.ts';
import type { Desk } from './desk.ts';
import { runItem } from './item.ts';
import {
  failureFrom,
  failureOf,
  gravest,
  type Failure,
  type ItemResult,
  type StepResult,
} from './outcome.ts';
import { sideBySide, type Routine } from './routine.ts';

/** Runs a step and closes it in the journal. */
export function* runStep(step: Step, scope: Scope, desk: Desk): Routine<StepResult> {
  const result = yield* tryStep(step, scope, desk);
  desk.durable.tell({
    kind: 'closed',
    step: step.path,
    status: result.status,
    ...(result.because !== undefined && { because: result.because }),
    ...(result.hint !== undefined && { hint: result.hint }),
  });
  return result;
}

function* tryStep(step: Step, scope: Scope, desk: Desk): Routine<StepResult> {
  if (desk.drain.aborted) return { status: 'interrupted', items: [] };
  try {
    if (isSkippedWhole(step, scope)) {
      return { status: 'skipped', because: 'its condition is false', items: [] };
    }
    const found = itemsOf(step, scope);
    if ('after' in found)
      throw new EvaluationError(`its items are known only after ${found.after}`);
    desk.durable.tell({
      kind: 'opened',
      step: step.path,
      ...(!isListed(step, desk) && { uses: step.uses }),
      ...keysOf(found.items),
    });
    return resultOf(yield* runItems(step, found.items, desk));
  } catch (error) {
    const failure = failureFrom(step.path, step.path, failureOf(error));
    if (failure === undefined) throw error;
    return failed([], failure);
  }
}

/** Whether the start of the journal names the step: not one of `finally`, nor within another playbook. */
function isListed({ path }: Step, { playbook, within }: Desk): boolean {
  return within === '' && playbook.steps.some((step) => step.path === path);
}

/** A condition that does not look at `each` decides for the whole step. */
function isSkippedWhole(step: Step, scope: Scope): boolean {
  if (step.condition === undefined) return false;
  const looksAtItem = step.condition.references.some(({ root }) => root === 'each');
  return !looksAtItem && !isTrue(step.condition, scope);
}

function keysOf(items: readonly Item[]): { readonly items?: readonly string[] } {
  const keys = items.map(({ key }) => key).filter((key) => key !== undefined);
  return keys.length === items.length && items.length > 0 && items[0]?.key !== undefined
    ? { items: keys }
    : {};
}

function* runItems(step: Step, items: readonly Item[], desk: Desk): Routine<ItemResult[]> {
  const results: ItemResult[] = [];
  let next = 0;
  let isStopped = false;
  const run = function* run(item: Item, index: number): Routine<void> {
    const result = yield* runItem(step, item, desk);
    results[index] = result;
    const isFailed = result.failure && (step.onError === 'stop' || result.status === 'doubt');
    isStopped ||= isFailed === true || result.status === 'interrupted';
  };
  yield* sideBySide((running) => {
    const item = items[next];
    if (isStopped || item === undefined || running >= step.parallel) return undefined;
    return run(item, next++);
  });
  return results.filter((result) => result !== undefined);
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
