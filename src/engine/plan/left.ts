/** Whether the rest of a run may still change an account, or have other effects. */
import type { Replay } from '../journal/replay.ts';
import { isWrite } from './effect.ts';
import type { Plan, PlannedAction } from './plan.ts';

/**
 * Whether the rest of a run may still have an effect outside this process, including notifications and
 * programs.
 */
export function mayStillAct(plan: Pick<Plan, 'steps'>, known: Replay): boolean {
  if (mayStillWrite(plan, known)) return true;
  return plan.steps
    .filter(({ effect }) => effect === 'outbound')
    .some(({ actions }) =>
      actions.some(({ address }) => known.get(address)?.outcome?.kind !== 'done'),
    );
}

/**
 * Whether the rest of a run may still send a write. A write with a known outcome is not sent again; one
 * that only the run can decide counts as remaining.
 * @param plan the plan recomputed for the run
 */
export function mayStillWrite({ steps }: Pick<Plan, 'steps'>, known: Replay): boolean {
  return steps
    .filter(isWrite)
    .some(({ actions }) => actions.length === 0 || actions.some((each) => isLeft(each, known)));
}

/**
 * Whether an action remains. A write in doubt does, even if the exchange shows it now: it is looked up,
 * and may be sent. So do skipped steps and those without items, because a later read may change that,
 * and steps that wait for the run to stop.
 */
function isLeft({ address, change, confidence }: PlannedAction, known: Replay): boolean {
  switch (change.kind) {
    case 'read':
    case 'local':
    case 'outbound':
    case 'reused':
      return false;
    case 'skip':
    case 'none':
    case 'create':
    case 'set':
    case 'later':
      return confidence?.kind !== 'from-ledger' && known.get(address)?.outcome?.kind !== 'done';
  }
}
