/** The part of a plan that a list of plans shows: a plan may have thousands of lines. */
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
  /** Whether the plan would change something, and was made with reads. */
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
