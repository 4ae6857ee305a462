/** Resolves the value of `uses` to an operation or a built-in step. */
import { nearWord } from '../base/text.ts';
import { isOperation, operationNames } from '../exchange/api/operations/index.ts';
import { builtIns, type Action } from './playbook.ts';

export function actionOf(uses: string): Action | undefined {
  if (isOperation(uses)) return { kind: 'call', operation: uses };
  const name = builtIns.find((builtIn) => builtIn === uses);
  return name === undefined ? undefined : { kind: 'built-in', name };
}

/** The action closest to a misspelt `uses`. */
export function nearAction(uses: string): Action | undefined {
  const near = nearWord(uses, [...operationNames, ...builtIns]);
  return near === undefined ? undefined : actionOf(near);
}
