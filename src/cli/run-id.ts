/** Ids of runs: drawn for a run made now, derived for the run of a plan. */
import { digestOf } from '../base/json.ts';
import { randomId } from '../base/random.ts';
import type { Plan } from '../plan/plan.ts';

/** What decides the id of a planned run: known before the plan is made, and kept in it. */
export type PlannedRun = Pick<Plan, 'playbook' | 'destination' | 'inputs' | 'observedAt'>;

export function newRunId(): string {
  return `r-${randomId(6)}`;
}

/** The run of a plan has one id for ever: its orders keep their names, and it runs only once. */
export function plannedRunId({ playbook, destination, inputs, observedAt }: PlannedRun): string {
  const digest = digestOf([playbook.digest, destination, inputs, observedAt]);
  return `r-${digest.slice(0, 10)}`;
}
