/** What `uses` names. */
import { isOperation } from '../contract/operations/index.ts';
import { builtIns, type Action } from './playbook.ts';

export function actionOf(uses: string): Action | undefined {
  if (isOperation(uses)) return { kind: 'call', operation: uses };
  const name = builtIns.find((builtIn) => builtIn === uses);
  return name === undefined ? undefined : { kind: 'built-in', name };
}
