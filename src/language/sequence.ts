/** The order of a playbook's steps: the steps for which each one waits, explicitly and implicitly. */
import { awaitedBy } from './expressions.ts';
import type { Playbook, Step } from './playbook.ts';

export interface Waiting {
  /** The ids of steps that `needs` names. */
  readonly needs: readonly string[];
  /** The nearest implicit dependencies: steps that the step reads, or steps listed before it. */
  readonly implicit: readonly string[];
}

/**
 * A step without needs waits for all earlier steps; one with needs for those, and for the steps it
 * reads. Without concurrency, each step waits for all earlier ones.
 */
export function waitingIn({
  steps,
  parallel,
}: Pick<Playbook, 'steps' | 'parallel'>): ReadonlyMap<Step, Waiting> {
  const last = new Set<string>(); // steps that nothing waits for yet: waiting for these is waiting for all
  const found = new Map<Step, Waiting>();
  for (const step of steps) {
    const { id, needs } = step;
    const isInOrder = needs.length === 0 || parallel === 1;
    const awaited = isInOrder ? [...last] : [...awaitedBy(step)];
    found.set(step, { needs, implicit: awaited.filter((other) => !needs.includes(other)) });
    for (const other of [...needs, ...awaited]) last.delete(other);
    last.add(id);
  }
  return found;
}
