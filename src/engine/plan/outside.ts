/** Built-in steps in a plan: their needs, display and limits. */
import { checkInput } from '../../exchange/api/check.ts';
import { wireInput } from '../../language/expression/evaluate.ts';
import { isTrue } from '../../language/expression/known.ts';
import { Unknown, type Scope } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { PlannedItem, PlanContext } from './plan-context.ts';
import type { Item } from './items.ts';
import { checkNeeds, localInput } from './local.ts';
import { isOutbound } from './outbound.ts';
import type { PlannedAction } from './plan.ts';
import { inputShown } from './read.ts';
import { withLaterItem } from './scope.ts';

/** A built-in step; a notification or a program counts for the limits. */
export function planLocal(step: Step, item: Item, context: PlanContext): PlannedItem {
  const { address } = item;
  checkNeeds(step, item, context);
  const input = localInput(step, item, context);
  const { uses } = step;
  if (uses === 'shell/run') context.programsBefore.add(address);
  if (isOutbound(uses)) {
    const account = context.naming.destination;
    const effect = { address, operation: uses, input: {}, account };
    context.limits.breaks(effect);
    context.limits.count(effect);
  }
  const change = { kind: isOutbound(uses) ? ('outbound' as const) : ('local' as const) };
  return { action: { address, input, change }, response: new Unknown(address) };
}

/** The input of a step that is known only during the run; its requirements are checked now. */
export function laterInput(step: Step, scope: Scope, context: PlanContext): PlannedAction['input'] {
  if (!isOutbound(step.uses)) return {};
  const at = { address: step.path, scope: withLaterItem(scope, step), isUncertain: true };
  checkNeeds(step, at, context);
  return localInput(step, at, context);
}

/** The sends of an `on-failure` step, as far as known: they are checked before anything is sent. */
export function sentOnFailure(
  step: Step,
  scope: Scope,
  context: PlanContext,
): Pick<PlannedAction, 'operation' | 'input'> {
  const { action } = step;
  try {
    if (isNever(step, scope)) return { input: {} };
    if (action.kind !== 'call') return { input: laterInput(step, scope, context) };
    const { operation } = action;
    const { input, unknown } = wireInput(operation, step.with, withLaterItem(scope, step));
    if (unknown.size === 0) checkInput(operation, input);
    return { operation, input: inputShown({ input, unknown }) };
  } catch (error) {
    context.problems.failed(step, step.path, error);
    return { input: {} };
  }
}

/** Whether the condition of a step is always false. */
export function isNever({ condition }: Step, scope: Scope): boolean {
  if (condition === undefined) return false;
  try {
    const found = condition.evaluate(scope);
    return found.known && !isTrue(condition, scope);
  } catch {
    return false; // it depends on how the run fails
  }
}
