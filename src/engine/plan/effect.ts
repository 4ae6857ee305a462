/** The effects of steps on an account, for any conditions and items. */
import { operationOf } from '../../exchange/api/operations/index.ts';
import { stepsOf } from '../../language/expressions.ts';
import type { Step } from '../../language/playbook.ts';
import { isOutbound } from './outbound.ts';
import type { Plan, PlannedStep } from './plan.ts';

const byGravity = ['local', 'read', 'outbound', 'set', 'keyed', 'once'] as const;

/** The strongest possible effect of a step; for a nested playbook, that of its strongest step. */
export function effectOf({ action, uses }: Step): PlannedStep['effect'] {
  switch (action.kind) {
    case 'call':
      return operationOf(action.operation).effect;
    case 'playbook': {
      const within = new Set(stepsOf(action.playbook).map(effectOf));
      return byGravity.findLast((effect) => within.has(effect)) ?? 'local';
    }
    case 'built-in':
      return isOutbound(uses) ? 'outbound' : 'local';
    case 'none':
      return 'local';
  }
}

/** Whether a request that changes an account would be sent. */
export function isWrite({ effect }: Pick<PlannedStep, 'effect'>): boolean {
  return effect === 'set' || effect === 'keyed' || effect === 'once';
}

/** Whether there would be an effect outside this process: a write, a notification, a program. */
export function isEffect(step: Pick<PlannedStep, 'effect'>): boolean {
  return isWrite(step) || step.effect === 'outbound';
}

/** Whether a step has an effect outside this process. */
export function hasEffect(step: Step): boolean {
  return isEffect({ effect: effectOf(step) });
}

/** Whether a step may write to an account. */
export function isWriting(step: Step): boolean {
  return isWrite({ effect: effectOf(step) });
}

/** Whether a run of the plan may change an account, even if how is known only during the run. */
export function mayWrite({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.some(isWrite);
}

/**
 * Whether a run of the plan may have any effect outside this process: then it may need approval.
 */
export function mayAct({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.some(isEffect);
}
