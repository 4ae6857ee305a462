/** Steps whose writes are done once: the same content is never written again, by any run. */
import { operationOf } from '../exchange/api/operations/index.ts';
import { stepsOf } from './expressions.ts';
import type { Playbook, Step } from './playbook.ts';

/** Whether a step, or a step of its nested playbook, writes once per playbook. */
export function isLasting(step: Step): boolean {
  const { action, oncePer } = step;
  if (action.kind === 'playbook') return stepsOf(action.playbook).some(isLasting);
  return oncePer === 'playbook' && mayChange(step);
}

/** Whether a step, or a step of its nested playbook, may change an account. */
export function mayChange({ action }: Step): boolean {
  switch (action.kind) {
    case 'call':
      return operationOf(action.operation).effect !== 'read';
    case 'playbook':
      return mayChangeAny(action.playbook);
    case 'built-in':
    case 'none':
      return false;
  }
}

function mayChangeAny(playbook: Playbook): boolean {
  return stepsOf(playbook).some(mayChange);
}
