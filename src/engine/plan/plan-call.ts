/** The call of one item in a plan: a read or a write, on an account that it may use. */
import { wrongFamily } from '../../exchange/api/family.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import { idHint } from '../journal/id-hint.ts';
import type { Step } from '../../language/playbook.ts';
import { callOf, type Call } from './call.ts';
import type { PlannedItem, PlanContext } from './plan-context.ts';
import type { Item } from './items.ts';
import { planRead } from './read.ts';
import { planWrite } from './write.ts';

/** Plans a call. @param context the context of the call's account */
export async function planCall(
  step: Step,
  operation: OperationName,
  item: Item,
  context: PlanContext,
): Promise<PlannedItem> {
  const call = callOf(step, operation, item, context.naming);
  checkAccount(step, call, context);
  context.keys.add(call.key);
  return call.effect === 'read'
    ? planRead(step, item, call, context)
    : planWrite(step, call, context);
}

/**
 * Reports an operation of the other account family, and a once-per-playbook write on a live account without
 * an account-id: an API key is not permanent.
 */
function checkAccount(
  step: Step,
  { address, effect, operation }: Call,
  { naming, problems }: PlanContext,
): void {
  const { target, accountId, profile, family } = naming.destination;
  const wrong = family && wrongFamily(operation, family);
  if (wrong) problems.faults(step, address, [{ code: 'PB424', field: 'uses', ...wrong }]);
  if (effect === 'read' || step.oncePer !== 'playbook' || target === 'sandbox') return;
  if (accountId !== undefined || naming.began !== undefined) return;
  const message = `${profile} is live and has no account-id, which once-per: playbook needs`;
  const fault = { code: 'PB421', field: 'uses', message, hint: idHint(profile) } as const;
  problems.faults(step, address, [fault]);
}
