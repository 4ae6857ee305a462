/** Every expression of a step, and the steps it reads. */
import type { Expression, Playbook, Step, Template } from './playbook.ts';
import { sourcesOf } from './tables.ts';
import { expressionsIn } from './template.ts';

export function expressionsOf(step: Step): readonly Expression[] {
  const templates: (Template | undefined)[] = [
    ...step.with.values(),
    ...(step.outputs?.values() ?? []),
    ...(step.write?.columns?.values() ?? []),
    ...step.expect.map(({ message }) => message),
    step.write?.file,
    step.forEach,
    step.key,
    step.account,
  ];
  const conditions = [step.condition, step.until, ...step.expect.map(({ that }) => that)];
  return [
    ...templates.flatMap((template) => (template ? expressionsIn(template) : [])),
    ...conditions.filter((expression) => expression !== undefined),
  ];
}

/** Gives a run the full effort for itself: planning must not cause it to stop halfway. */
export function renewEffort(playbook: Playbook): void {
  for (const { effort } of stepsOf(playbook).flatMap(expressionsOf)) effort.renew();
}

/** All steps of a playbook, including those at its end. */
export function stepsOf(
  playbook: Pick<Playbook, 'steps' | 'onFailure' | 'finally'>,
): readonly Step[] {
  return [...playbook.steps, ...playbook.onFailure, ...playbook.finally];
}

/** Ids of the steps that a step with `needs` waits for. */
export function awaitedBy(step: Step): ReadonlySet<string> {
  const read = expressionsOf(step)
    .flatMap(({ references }) => references)
    .filter(({ root, path }) => root === 'steps' && path[0] !== undefined)
    .map(({ path: [id = ''] }) => id);
  return new Set([...step.needs, ...read, ...sourcesOf(step).map((source) => source.step)]);
}
