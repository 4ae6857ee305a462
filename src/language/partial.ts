/** Steps whose result may lack items that failed: a for-each with `on-error: partial`. */
import { stepsOf } from './expressions.ts';
import type { Playbook, Step } from './playbook.ts';
import { sourcesOf } from './tables.ts';

/** The name below `steps.ID` of the items that have no result. */
export const failedField = 'failed';

export function isPartial({ forEach, onError }: Pick<Step, 'forEach' | 'onError'>): boolean {
  return forEach !== undefined && onError === 'partial';
}

/** The partial steps whose rows these steps have, themselves or through tables. */
export function partialSources(ids: readonly string[], playbook: Playbook): readonly string[] {
  return [...new Set(ids.flatMap((id) => sourcesIn(lookup(playbook), id)))];
}

/** What is found once for a playbook: each item of its steps asks. */
interface Lookup {
  readonly steps: ReadonlyMap<string, Step>;
  readonly sources: Map<string, readonly string[]>;
}

const lookups = new WeakMap<Playbook, Lookup>();

function lookup(playbook: Playbook): Lookup {
  const known = lookups.get(playbook);
  if (known !== undefined) return known;
  const steps = new Map(stepsOf(playbook).map((step) => [step.id, step]));
  const made: Lookup = { steps, sources: new Map() };
  lookups.set(playbook, made);
  return made;
}

function sourcesIn(all: Lookup, id: string): readonly string[] {
  const known = all.sources.get(id);
  const step = all.steps.get(id);
  if (known !== undefined || step === undefined) return known ?? [];
  all.sources.set(id, []); // while it is followed
  const own = isPartial(step) ? [id] : [];
  const behind = sourcesOf(step).flatMap((source) => sourcesIn(all, source.step));
  const found = [...new Set([...own, ...behind])];
  all.sources.set(id, found);
  return found;
}
