/** The steps of a playbook in groups, and the steps for which each waits, in words. */
import { appendTo } from '../base/groups.ts';
import { plainText } from '../base/text.ts';
import type { Playbook, Step } from './playbook.ts';
import type { Waiting } from './sequence.ts';

export interface Group {
  /** The key of the group; absent for steps of the playbook itself. */
  readonly name: 'on-failure' | 'finally' | undefined;
  readonly steps: readonly Step[];
}

/** The groups of a playbook: the steps themselves, and those of `on-failure` and `finally`. */
export function groupsOf({ steps, onFailure, finally: last }: Playbook): readonly Group[] {
  const groups: readonly Group[] = [
    { name: undefined, steps },
    { name: 'on-failure', steps: onFailure },
    { name: 'finally', steps: last },
  ];
  return groups.filter((group) => group.steps.length > 0);
}

/** A step in the order in which a tree of them is drawn. */
export interface PlacedStep {
  readonly step: Step;
  readonly depth: number;
  /** Whether it is below the last of the steps that it needs. */
  readonly isBelow: boolean;
  /** Whether no other step follows below the same one. */
  readonly isLast: boolean;
}

const deepest = 20; // levels; a longer chain continues at the margin, so that lines stay readable

/** The steps of a group depth first: each below the last of the steps that it needs. */
export function placedSteps(steps: readonly Step[]): readonly PlacedStep[] {
  const { roots, under } = branchesOf(steps);
  const placed: PlacedStep[] = [];
  const waiting = siblings(roots, 0, false);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    placed.push(next);
    waiting.push(...siblings(under.get(next.step) ?? [], next.depth + 1, true));
  }
  return placed;
}

/** Steps below the same one, the last one first, because the next one to place is taken from the end. */
function siblings(steps: readonly Step[], depth: number, isBelow: boolean): PlacedStep[] {
  return steps
    .map((step, at) => ({ step, depth, isBelow, isLast: at === steps.length - 1 }))
    .toReversed();
}

/** The steps at the margin, and those below each other one. */
function branchesOf(steps: readonly Step[]): {
  readonly roots: readonly Step[];
  readonly under: ReadonlyMap<Step, readonly Step[]>;
} {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const depths = new Map<Step, number>();
  const roots: Step[] = [];
  const under = new Map<Step, Step[]>();
  for (const step of steps) {
    const parent = byId.get(step.needs.at(-1) ?? '');
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(step, depth % deepest);
    if (parent === undefined || depth === deepest) roots.push(step);
    else appendTo(under, parent, step);
  }
  return { roots, under };
}

/** `for each item, after a`; a step that it is shown below is not named again. */
export function stepWords(
  { step: { forEach, condition, needs }, isBelow }: PlacedStep,
  waiting: Waiting | undefined,
): string {
  const others = [...(isBelow ? needs.slice(0, -1) : needs), ...(waiting?.implicit ?? [])];
  const after = isBelow ? 'also after' : 'after';
  return [
    ...(forEach === undefined ? [] : ['for each item']),
    ...(condition === undefined ? [] : ['if its condition holds']),
    ...(others.length === 0
      ? []
      : [`${after} ${others.map((id) => plainText(id, 60)).join(', ')}`]),
  ].join(', ');
}
