/** Whether what is left of a run may still change an account, or do anything outside. */
import type { Replay } from '../journal/replay.ts';
import { isWrite } from './effect.ts';
import type { Plan, PlannedAction } from './plan.ts';

/** The same for everything outside this process: notices and programs, too. */
export function mayStillAct(plan: Pick<Plan, 'steps'>, known: Replay): boolean {
  if (mayStillWrite(plan, known)) return true;
  return plan.steps
    .filter(({ effect }) => effect === 'outbound')
    .some(({ actions }) =>
      actions.some(({ address }) => known.get(address)?.outcome?.kind !== 'done'),
    );
}

/**
 * A write the run knows the end of is not sent again; one of which only the run will know whether
 * it is sent counts as left.
 * @param plan made again for the run
 */
export function mayStillWrite({ steps }: Pick<Plan, 'steps'>, known: Replay): boolean {
  return steps
    .filter(isWrite)
    .some(({ actions }) => actions.length === 0 || actions.some((each) => isLeft(each, known)));
}

/**
 * What is in doubt is left, also where the exchange shows it now: it is looked up, and may be sent.
 * So is what is skipped, or has no items: a read that is not done yet may say otherwise, and what
 * waits for the run to stop is sent when it does.
 */
function isLeft({ address, change, confidence }: PlannedAction, known: Replay): boolean {
  switch (change.kind) {
    case 'read':
    case 'local':
    case 'outbound':
      return false;
    case 'skip':
    case 'none':
    case 'create':
    case 'set':
    case 'later':
      return confidence?.kind !== 'from-ledger' && known.get(address)?.outcome?.kind !== 'done';
  }
}
