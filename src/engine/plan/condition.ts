/** The condition of a step or of an item in a plan: true, false, or known only during the run. */
import { isTrue } from '../../language/expression/known.ts';
import type { Scope } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { PlannedAction } from './plan.ts';

export interface Unmet {
  readonly change: PlannedAction['change'];
  /** The action whose response decides; absent if it is false. */
  readonly after?: string;
}

/** Evaluates a condition: true to continue; otherwise the planned result. */
export function conditionOf(step: Step, scope: Scope, level: 'step' | 'item'): true | Unmet {
  const { condition } = step;
  if (condition === undefined) return true;
  const looksAtItem = condition.references.some(({ root }) => root === 'each');
  if (looksAtItem !== (level === 'item')) return true;
  const found = condition.evaluate(scope);
  if (!found.known) return { change: { kind: 'later' }, after: found.after };
  if (isTrue(condition, scope)) return true;
  return { change: { kind: 'skip', because: 'its condition is false' } };
}

/** The step on which it depends whether an action is done, and for which items. */
export function knownAfter(after: string | undefined): Pick<PlannedAction, 'confidence'> {
  return after === undefined ? {} : { confidence: { kind: 'known-after', step: after } };
}
