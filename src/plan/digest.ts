/** What binds a plan: one digest over everything in it, and the id people call it by. */
import { digestOf } from '../base/json.ts';
import type { Plan } from './plan.ts';

/** Everything that was decided and everything it depends on. */
export type Bound = Omit<Plan, 'id' | 'digest'>;

/** The plan under its digest; one byte of it changed gives another digest and another id. */
export function sealed(bound: Bound): Plan {
  const digest = digestOf(bound);
  return { ...bound, id: `p-${digest.slice(0, 8)}`, digest };
}

/** Whether a plan's id and digest are those of what it says. */
export function isSealed({ id, digest, ...bound }: Plan): boolean {
  const found = sealed(bound);
  return found.id === id && found.digest === digest;
}
