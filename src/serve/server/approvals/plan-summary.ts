/** What a list of plans needs of each: a plan may have thousands of lines. */
import { mayAct } from '../../../engine/plan/effect.ts';
import type { Plan } from '../../../engine/plan/plan.ts';

export interface PlanSummary extends Pick<
  Plan,
  | 'id'
  | 'digest'
  | 'run'
  | 'playbook'
  | 'destination'
  | 'accounts'
  | 'totals'
  | 'observedAt'
  | 'expiresAt'
> {
  /** It would change something, and was made with reads. */
  readonly isActionable: boolean;
}

export function summaryOf(plan: Plan): PlanSummary {
  const { id, digest, run, playbook, destination, accounts, totals, observedAt, expiresAt } = plan;
  return {
    id,
    digest,
    run,
    playbook,
    destination,
    ...(accounts && { accounts }),
    totals,
    observedAt,
    expiresAt,
    isActionable: mayAct(plan) && !plan.isOffline,
  };
}
