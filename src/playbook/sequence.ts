/** What each step waits for, said and unsaid: the order in which a playbook is done. */
import { awaitedBy } from './expressions.ts';
import type { Playbook, Step } from './playbook.ts';

export interface Waiting {
  /** As `needs` names them. */
  readonly needs: readonly string[];
  /** The nearest of the others that must have ended: it reads them, or they are listed before it. */
  readonly implicit: readonly string[];
}

/**
 * A step without needs waits for all before it; one with needs for those, and for the steps it
 * reads. Where one step is done at a time, each waits for all before it.
 */
export function waitingIn({
  steps,
  parallel,
}: Pick<Playbook, 'steps' | 'parallel'>): ReadonlyMap<Step, Waiting> {
  const last = new Set<string>(); // what nothing waits for yet: to wait for these is to wait for all
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
