/** The `approve` steps of a playbook: which steps wait for each, and which each lets go. */
import { awaitedBy } from './expressions.ts';
import type { Playbook, Step } from './playbook.ts';

/** Whether a step waits until people approve what follows. */
export function isApproval({ uses }: Pick<Step, 'uses'>): boolean {
  return uses === 'approve';
}

type Steps = Pick<Playbook, 'steps'>;

const known = new WeakMap<readonly Step[], ReadonlyMap<string, ReadonlySet<string>>>();

/** Ids of the `approve` steps that each step waits for, directly or through others; none has no entry. */
export function approvalsBefore({ steps }: Steps): ReadonlyMap<string, ReadonlySet<string>> {
  const found = known.get(steps) ?? foundIn(steps);
  known.set(steps, found);
  return found;
}

function foundIn(steps: readonly Step[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  if (!steps.some(isApproval)) return found; // the usual case
  const earlier = new Set<string>(); // the approvals of the steps so far
  const approvals = new Set(steps.filter(isApproval).map(({ id }) => id));
  for (const step of steps) {
    const awaited = [...awaitedBy(step)];
    const through = awaited.flatMap((id) => [...(found.get(id) ?? [])]);
    const own = awaited.filter((id) => approvals.has(id));
    const before = step.needs.length > 0 ? new Set([...own, ...through]) : new Set(earlier);
    if (before.size > 0) found.set(step.id, before);
    if (isApproval(step)) earlier.add(step.id);
  }
  return found;
}

/**
 * The steps that an approval lets go: those that wait for it, and for no other `approve` step that waits for
 * it, too. That one shows and binds what follows it.
 */
export function letGoBy(id: string, { steps }: Steps): readonly Step[] {
  const approvals = approvalsBefore({ steps });
  const waitsFor = (step: string): boolean => approvals.get(step)?.has(id) === true;
  return steps.filter((step) => {
    const own = [...(approvals.get(step.id) ?? [])];
    return own.includes(id) && !own.some(waitsFor);
  });
}

/**
 * Ids of all steps that have ended when a step starts: those that it awaits, and those that they await. A
 * step without `needs` waits for all earlier ones.
 */
export function stepsBefore(id: string, steps: readonly Step[]): ReadonlySet<string> {
  const byId = new Map(steps.map((step, place) => [step.id, { step, place }]));
  const found = new Set<string>();
  const left = [id];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { step, place = 0 } = byId.get(next) ?? {};
    const isInOrder = step !== undefined && step.needs.length === 0;
    const awaited = isInOrder ? steps.slice(0, place).map((each) => each.id) : [];
    for (const other of awaited) found.add(other); // with all that these await
    for (const other of isInOrder || step === undefined ? [] : awaitedBy(step)) {
      if (found.has(other)) continue;
      found.add(other);
      left.push(other);
    }
  }
  return found;
}
