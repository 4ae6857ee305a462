/** Reduces a playbook to some of its steps. */
import { approvalsBefore } from './approvals.ts';
import { awaitedBy } from './expressions.ts';
import type { Playbook } from './playbook.ts';

/**
 * The named steps, those for which they wait, and the approvals before them; all steps if none is named.
 */
export function onlySteps(playbook: Playbook, only: readonly string[]): Playbook {
  if (only.length === 0) return playbook;
  const wanted = new Set(only);
  const approvals = approvalsBefore(playbook);
  for (const step of playbook.steps.toReversed()) {
    if (!wanted.has(step.id)) continue;
    for (const id of awaitedBy(step)) wanted.add(id);
    for (const id of approvals.get(step.id) ?? []) wanted.add(id);
  }
  return exactly(playbook, wanted);
}

/** The steps that a run or a plan originally selected, from its record. */
export function stepsAsIn(
  playbook: Playbook,
  { steps }: { readonly steps: readonly { readonly id: string }[] },
): Playbook {
  return exactly(playbook, new Set(steps.map(({ id }) => id)));
}

function exactly(playbook: Playbook, wanted: ReadonlySet<string>): Playbook {
  const steps = playbook.steps.filter(({ id }) => wanted.has(id));
  return steps.length === playbook.steps.length ? playbook : { ...playbook, steps, isPart: true };
}
