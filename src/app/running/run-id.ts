/** The id of a run, derived from its plan, so that both give writes the same ids on every machine. */
import { digestOf } from '../../base/json.ts';
import { nameFor } from '../../base/name.ts';
import type { Plan } from '../../engine/plan/plan.ts';

/** What the id of a planned run is derived from: known before the plan is made, and part of it. */
export type PlannedRun = Pick<Plan, 'playbook' | 'destination' | 'inputs' | 'observedAt' | 'nonce'>;

const letters = 12; // 60 bits: collisions are negligible

/**
 * The run of a plan has one permanent id: its orders keep their clientOids, and it runs only once.
 */
export function plannedRunId(plan: PlannedRun): string {
  const { playbook, destination, inputs, observedAt, nonce } = plan;
  const digest = digestOf([nonce, playbook.digest, destination, inputs, observedAt]);
  return `r-${nameFor(digest, letters)}`;
}
