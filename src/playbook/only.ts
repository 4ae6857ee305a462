/** A playbook cut down to some of its steps. */
import { awaitedBy } from './expressions.ts';
import type { Playbook } from './playbook.ts';

/** The steps that are named and those they wait for; the whole playbook when none is named. */
export function onlySteps(playbook: Playbook, only: readonly string[]): Playbook {
  if (only.length === 0) return playbook;
  const wanted = new Set(only);
  for (const step of playbook.steps.toReversed()) {
    if (wanted.has(step.id)) for (const id of awaitedBy(step)) wanted.add(id);
  }
  return exactly(playbook, wanted);
}

/** The steps a run or a plan began with, by what it says of them. */
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
