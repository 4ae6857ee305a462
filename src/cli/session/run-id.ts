/** The id of a run: it follows from its plan, so that both name the same writes everywhere. */
import { digestOf } from '../../base/json.ts';
import { nameFor } from '../../base/name.ts';
import type { Plan } from '../../plan/plan.ts';

/** What decides the id of a planned run: known before the plan is made, and kept in it. */
export type PlannedRun = Pick<Plan, 'playbook' | 'destination' | 'inputs' | 'observedAt' | 'nonce'>;

const letters = 12; // 60 bits: no two plans of an account meet

/** The run of a plan has one id permanently: its orders keep their names, and it runs only once. */
export function plannedRunId(plan: PlannedRun): string {
  const { playbook, destination, inputs, observedAt, nonce } = plan;
  const digest = digestOf([nonce, playbook.digest, destination, inputs, observedAt]);
  return `r-${nameFor(digest, letters)}`;
}
