/** Resolves the value of `uses` to an operation or a built-in step. */
import { nearWord } from '../base/text.ts';
import { isOperation, operationNames } from '../exchange/api/operations/index.ts';
import { builtIns, type Action, type Step } from './playbook.ts';

export function actionOf(uses: string): Action | undefined {
  if (isOperation(uses)) return { kind: 'call', operation: uses };
  const name = builtIns.find((builtIn) => builtIn === uses);
  return name === undefined ? undefined : { kind: 'built-in', name };
}

/** The action that a step really has: none if the operation is misspelled, and read as the nearest one. */
export function knownAction({ uses, action }: Pick<Step, 'uses' | 'action'>): Action {
  return action.kind === 'playbook' ? action : (actionOf(uses) ?? { kind: 'none' });
}

/** The action closest to a misspelt `uses`. */
export function nearAction(uses: string): Action | undefined {
  const near = nearWord(uses, [...operationNames, ...builtIns]);
  return near === undefined ? undefined : actionOf(near);
}
