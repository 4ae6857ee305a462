/** Whether a playbook writes a state that an account has only once, shared by all playbooks. */
import { operationOf } from '../exchange/api/operations/index.ts';
import { stepsOf } from './expressions.ts';
import type { Action, Playbook } from './playbook.ts';

/**
 * Whether a step sets a state of an account, or creates an object with a unique name on it: then runs
 * of other playbooks matter.
 */
export function touchesAccount(playbook: Playbook): boolean {
  return (
    stepsOf(playbook).some(({ action }) => {
      if (action.kind === 'playbook') return touchesAccount(action.playbook);
      return action.kind === 'call' && operationOf(action.operation).uniqueBy !== undefined;
    }) || setsState(playbook)
  );
}

/** Whether an action, or a step of its playbook, sets a state of an account. */
export function touchesState(action: Action): boolean {
  if (action.kind === 'playbook') return setsState(action.playbook);
  return action.kind === 'call' && operationOf(action.operation).sets !== undefined;
}

function setsState(playbook: Playbook): boolean {
  return stepsOf(playbook).some(({ action }) => touchesState(action));
}
