/** The items of a partial step that have no result, and why: `steps.ID.failed`. */
import { count } from '../../base/text.ts';
import { isFailure } from '../journal/decisions.ts';
import type { FailedItem } from '../journal/entry.ts';
import type { Item } from '../plan/items.ts';
import { withItems, type FailedMember } from '../plan/failed-items.ts';
import { isPartial } from '../../language/partial.ts';
import type { Step } from '../../language/playbook.ts';
import type { InterpreterContext } from './interpreter-context.ts';
import type { ItemResult, StepResult } from './outcome.ts';

/**
 * A result with the items that failed or were not started, for a step with `on-error: partial`. An item
 * in doubt is not among them: it stops the run. What an earlier attempt decided is taken from its record.
 */
export function withFailed(
  step: Step,
  items: readonly Item[],
  result: StepResult,
  { decided, decisions }: InterpreterContext,
): StepResult {
  const told = withUnstarted(step, items, result);
  if (!isPartial(step) || result.status === 'doubt') return told;
  const before =
    decided === undefined
      ? undefined
      : decisions.step(step.path).closed.findLast(isFailure)?.failed;
  const failed = before ?? failedIn(step, items, result.items);
  return { ...told, failed: withItems(failed, items) };
}

/** An item without a result as the journal records it; its value follows from the step. */
export function recorded({ value: _value, ...item }: FailedMember): FailedItem {
  return item;
}

/** Whether `max-failures` ends the items of a step. */
export function isTooMany({ maxFailures }: Step, failures: number): boolean {
  return maxFailures !== undefined && failures >= maxFailures;
}

/** The result of a step, with the number of items that `max-failures` kept from starting. */
function withUnstarted(step: Step, items: readonly Item[], result: StepResult): StepResult {
  const left = items.length - result.items.length;
  const { failure, because = '' } = result;
  const failures = result.items.filter((item) => item.failure !== undefined).length;
  if (left === 0 || failure === undefined || failure.status === 'doubt') return result;
  if (!isTooMany(step, failures)) return result;
  return { ...result, because: `${because}; ${count(left, 'item')} not started after it` };
}

function failedIn(
  { maxFailures }: Step,
  items: readonly Item[],
  results: readonly ItemResult[],
): readonly FailedItem[] {
  const byKey = new Map(results.map((result) => [result.key, result]));
  return items.flatMap(({ key = '' }): readonly FailedItem[] => {
    const result = byKey.get(key);
    if (result === undefined) {
      if (maxFailures === undefined) return []; // the run was interrupted before it
      const message = `not started after ${count(maxFailures, 'failed item')}`;
      return [{ key, code: 'not-started', message }];
    }
    const { failure } = result;
    if (failure === undefined) return [];
    return [{ key, code: failure.code, message: failure.message }];
  });
}
