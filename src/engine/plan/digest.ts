/** The binding of a plan: one digest over all of it, and the id that people use. */
import { digestOf } from '../../base/json.ts';
import type { Plan } from './plan.ts';
import { sealOf } from './seal.ts';

/** The part of a plan that people decide on: every decision and everything on which it depends. */
export type Bound = Omit<Plan, 'id' | 'seal' | 'digest'>;

/** The plan with its seal and its digest; a change of one value gives another digest and another id. */
export function sealed(bound: Bound & { readonly seal?: unknown }): Plan {
  const { seal: _earlier, ...content } = bound;
  const seal = sealOf(content);
  const digest = digestOf({ ...content, seal });
  return { ...content, id: idOf(digest), seal, digest };
}

/** Whether a plan's id and digest match its contents. */
export function isSealed({ id, digest, ...bound }: Plan): boolean {
  return digest === digestOf(bound) && id === idOf(digest);
}

function idOf(digest: string): string {
  return `p-${digest.slice(0, 8)}`;
}
