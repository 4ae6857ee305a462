/** Reduces a playbook to some of its steps. */
import { awaitedBy } from './expressions.ts';
import type { Playbook } from './playbook.ts';

/** The named steps and those for which they wait; all steps if none is named. */
export function onlySteps(playbook: Playbook, only: readonly string[]): Playbook {
  if (only.length === 0) return playbook;
  const wanted = new Set(only);
  for (const step of playbook.steps.toReversed()) {
    if (wanted.has(step.id)) for (const id of awaitedBy(step)) wanted.add(id);
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
