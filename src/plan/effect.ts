/** What steps may do to an account, whatever their conditions and their items come to. */
import { operationOf } from '../api/operations/index.ts';
import { stepsOf } from '../playbook/expressions.ts';
import type { Step } from '../playbook/playbook.ts';
import { isOutbound } from './outbound.ts';
import type { Plan, PlannedStep } from './plan.ts';

const byGravity = ['local', 'read', 'outbound', 'set', 'keyed', 'once'] as const;

/** What a step does at the most; one that uses a playbook does what the gravest step of that may. */
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

/** Whether something would be sent that changes an account. */
export function isWrite({ effect }: Pick<PlannedStep, 'effect'>): boolean {
  return effect === 'set' || effect === 'keyed' || effect === 'once';
}

/** Whether something would happen outside this process: a write, a notice, a program. */
export function isEffect(step: Pick<PlannedStep, 'effect'>): boolean {
  return isWrite(step) || step.effect === 'outbound';
}

/** Whether a step does something outside this process. */
export function hasEffect(step: Step): boolean {
  return isEffect({ effect: effectOf(step) });
}

/** Whether a step may change an account. */
export function isWriting(step: Step): boolean {
  return isWrite({ effect: effectOf(step) });
}

/** Whether a run of the plan may change an account, also where only the run will know what. */
export function mayWrite({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.some(isWrite);
}

/** Whether a run of the plan may do anything outside this process: then someone may have to approve it. */
export function mayAct({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.some(isEffect);
}
