/** What steps may do to an account, whatever their conditions and their items come to. */
import { operationOf } from '../contract/operations/index.ts';
import { stepsOf } from '../playbook/expressions.ts';
import type { Step } from '../playbook/playbook.ts';
import type { Plan, PlannedStep } from './plan.ts';

const byGravity = ['local', 'read', 'set', 'keyed', 'once'] as const;

/** What a step does at the most; one that uses a playbook does what the gravest step of that may. */
export function effectOf({ action }: Step): PlannedStep['effect'] {
  switch (action.kind) {
    case 'call':
      return operationOf(action.operation).effect;
    case 'playbook': {
      const within = new Set(stepsOf(action.playbook).map(effectOf));
      return byGravity.findLast((effect) => within.has(effect)) ?? 'local';
    }
    case 'built-in':
    case 'none':
      return 'local';
  }
}

/** Whether something would be sent that changes an account. */
export function isWrite({ effect }: Pick<PlannedStep, 'effect'>): boolean {
  return effect !== 'read' && effect !== 'local';
}

/** Whether a step may change an account. */
export function isWriting(step: Step): boolean {
  return isWrite({ effect: effectOf(step) });
}

/** Whether a run of the plan may change an account, also where only the run will know what. */
export function mayWrite({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.some(isWrite);
}
