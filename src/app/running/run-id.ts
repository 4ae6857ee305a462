/** Derives the id of a run from its plan, so that the writes have the same ids on every machine. */
import { digestOf } from '../../base/json.ts';
import { nameFor } from '../../base/name.ts';
import type { Plan } from '../../engine/plan/plan.ts';

/**
 * The parts of a plan that the id of its run is derived from: known before the plan is made, and part of it.
 */
export type PlannedRun = Pick<Plan, 'playbook' | 'destination' | 'inputs' | 'observedAt' | 'nonce'>;

const letters = 12; // 60 bits: collisions are negligible

/** The permanent id of a plan's run: its orders keep their clientOids, and it runs only once. */
export function plannedRunId(plan: PlannedRun): string {
  const { playbook, destination, inputs, observedAt, nonce } = plan;
  const digest = digestOf([nonce, playbook.digest, destination, inputs, observedAt]);
  return `r-${nameFor(digest, letters)}`;
}
