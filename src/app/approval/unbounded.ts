/** Refuses to ask for a signature on orders of unknown value that no guard bounds. */
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import { plainText } from '../../base/text.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { boundHint, unboundedIn } from '../../report/unknown-orders.ts';

/** @throws ApprovalError with what to add where */
export function refuseUnbounded(plan: Plan): void {
  const [first, ...others] = unboundedIn(plan);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const { address, because } = first;
  throw new ApprovalError(
    `the value of ${plainText(address, 120)}${more} is unknown, ${plainText(because, 200)}, and no guard bounds it, so plan ${plan.id} cannot be approved`,
    boundHint(first, plan),
  );
}
