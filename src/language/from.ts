/** The steps of a playbook that are executed again from one of them on, and the inputs that a step reads. */
import { approvalsBefore } from './approvals.ts';
import { awaitedBy, expressionsOf } from './expressions.ts';
import type { Playbook, Step } from './playbook.ts';

/**
 * Some steps and all steps that wait for them: those that need or read one of them or another such step, and
 * those without `needs` after one of them, because they wait for all earlier steps. An approval is for one run:
 * the `approve` steps before an executed step with an effect are executed, too, without what else waits for them.
 */
export function stepsFrom(
  { steps }: Pick<Playbook, 'steps'>,
  from: readonly string[],
  hasEffect: (step: Step) => boolean,
): ReadonlySet<string> {
  const again = new Set(from);
  for (const step of steps) {
    const waits =
      step.needs.length > 0
        ? [...awaitedBy(step)].some((id) => again.has(id))
        : isAfter(step, steps, again);
    if (waits) again.add(step.id);
  }
  const approvals = approvalsBefore({ steps });
  const acting = steps.filter((step) => again.has(step.id) && hasEffect(step));
  return new Set([...again, ...acting.flatMap(({ id }) => [...(approvals.get(id) ?? [])])]);
}

function isAfter(step: Step, steps: readonly Step[], again: ReadonlySet<string>): boolean {
  return steps.slice(0, steps.indexOf(step)).some(({ id }) => again.has(id));
}

/** The names of the inputs that a step reads; all of the playbook's if it reads them as a whole. */
export function inputsReadBy(
  step: Step,
  { inputs }: Pick<Playbook, 'inputs'>,
): ReadonlySet<string> {
  const read = expressionsOf(step)
    .flatMap(({ references }) => references)
    .filter(({ root }) => root === 'inputs');
  const isWhole = read.some(({ path }) => path.length === 0);
  return new Set(isWhole ? inputs.keys() : read.flatMap(({ path: [name] }) => name ?? []));
}
