/** Steps whose result may lack items that failed: a for-each with `on-error: partial`. */
import type { Step } from './playbook.ts';
import { sourcesOf } from './tables.ts';

/** The name below `steps.ID` of the items that have no result. */
export const failedField = 'failed';

export function isPartial({ forEach, onError }: Pick<Step, 'forEach' | 'onError'>): boolean {
  return forEach !== undefined && onError === 'partial';
}

/**
 * The partial steps whose rows these steps have, themselves or through tables.
 * @param steps all steps of its playbook
 */
export function partialSources(ids: readonly string[], steps: readonly Step[]): readonly string[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const found = new Set<string>();
  const seen = new Set<string>();
  const follow = (each: string): void => {
    const step = byId.get(each);
    if (step === undefined || seen.has(each)) return;
    seen.add(each);
    if (isPartial(step)) found.add(each);
    for (const source of sourcesOf(step)) follow(source.step);
  };
  for (const id of ids) follow(id);
  return [...found];
}
