/** Every expression of a step, and the steps it reads. */
import type { Expression, Playbook, Step, Template } from './playbook.ts';
import { sourcesOf } from './tables.ts';
import { expressionsIn } from './template.ts';

interface StepExpressions {
  readonly all: readonly Expression[];
  /** The expressions without those of the list of items. */
  readonly ofItem: readonly Expression[];
}

// Each of thousands of items asks for the expressions of its step.
const known = new WeakMap<Step, StepExpressions>();

export function expressionsOf(step: Step): readonly Expression[] {
  return foundIn(step).all;
}

/** The expressions that an item of a step evaluates; the list of items is not one of them. */
export function expressionsOfItem(step: Step): readonly Expression[] {
  return foundIn(step).ofItem;
}

function foundIn(step: Step): StepExpressions {
  const found = known.get(step) ?? collected(step);
  known.set(step, found);
  return found;
}

function collected(step: Step): StepExpressions {
  const templates: (Template | undefined)[] = [
    ...step.with.values(),
    ...(step.outputs?.values() ?? []),
    ...(step.write?.columns?.values() ?? []),
    ...step.expect.map(({ message }) => message),
    step.write?.file,
    step.key,
    step.account,
  ];
  const conditions = [step.condition, step.until, ...step.expect.map(({ that }) => that)];
  const ofItem = [
    ...templates.flatMap((template) => (template ? expressionsIn(template) : [])),
    ...conditions.filter((expression) => expression !== undefined),
  ];
  const { forEach } = step;
  return { ofItem, all: forEach ? [...expressionsIn(forEach), ...ofItem] : ofItem };
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
