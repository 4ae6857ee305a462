/** The binding of a plan: one digest over all of it, and the id that people use. */
import { digestOf } from '../../base/json.ts';
import type { Plan } from './plan.ts';

/** The part of a plan that its digest binds: every decision and everything on which it depends. */
export type Bound = Omit<Plan, 'id' | 'digest'>;

/** The plan with its digest; a change of one byte gives another digest and another id. */
export function sealed(bound: Bound): Plan {
  const digest = digestOf(bound);
  return { ...bound, id: `p-${digest.slice(0, 8)}`, digest };
}

/** Whether a plan's id and digest match its contents. */
export function isSealed({ id, digest, ...bound }: Plan): boolean {
  const found = sealed(bound);
  return found.id === id && found.digest === digest;
}
