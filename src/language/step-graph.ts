/** The steps of a playbook in groups, and the steps for which each waits: as edges, layers and words. */
import { appendTo } from '../base/groups.ts';
import { count, plainText } from '../base/text.ts';
import type { Playbook, Step } from './playbook.ts';
import { waitingIn, type Waiting } from './sequence.ts';

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

export interface Edge {
  readonly from: Step;
  readonly to: Step;
  /** Whether the dependency has no `needs`: the step reads the other, or is listed after it. */
  readonly isImplicit: boolean;
}

/** The edges to each step from those that it waits for: first those of its `needs`. */
export function edgesOf(sequence: Pick<Playbook, 'steps' | 'parallel'>): readonly Edge[] {
  const byId = new Map(sequence.steps.map((step) => [step.id, step]));
  return [...waitingIn(sequence)].flatMap(([to, { needs, implicit }]) => {
    const edges = (ids: readonly string[], isImplicit: boolean): Edge[] =>
      ids.flatMap((id) => {
        const from = byId.get(id);
        return from === undefined ? [] : [{ from, to, isImplicit }];
      });
    return [...edges(needs, false), ...edges(implicit, true)];
  });
}

/** The layer of each step: below the lowest one of the steps for which it waits. */
export function layersOf(
  steps: readonly Step[],
  edges: readonly Edge[],
): ReadonlyMap<Step, number> {
  const layers = new Map(steps.map((step) => [step, 0]));
  // The edges are in the order of the steps, and that order satisfies them.
  for (const { from, to } of edges) {
    layers.set(to, Math.max(layers.get(to) ?? 0, (layers.get(from) ?? 0) + 1));
  }
  return layers;
}

/** A step in the order in which a tree of them is drawn. */
export interface PlacedStep {
  readonly step: Step;
  readonly depth: number;
  /** Whether the step is below the last of the steps that it needs. */
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

/**
 * `for each item, after a`; a step that it is shown below is not named again.
 * @param namesMax steps that are named; of longer lists the number of the others
 */
export function stepWords(
  { step, isBelow }: Pick<PlacedStep, 'step' | 'isBelow'>,
  waiting: Waiting | undefined,
  namesMax = Infinity,
): string {
  const { needs } = step;
  const others = [...(isBelow ? needs.slice(0, -1) : needs), ...(waiting?.implicit ?? [])];
  const names = others.slice(0, namesMax).map((id) => plainText(id, 60));
  const rest = others.length - names.length;
  const after = `${isBelow ? 'also after' : 'after'} ${names.join(', ')}`;
  return [
    ...mannerOf(step),
    ...(others.length === 0
      ? []
      : [rest === 0 ? after : `${after} and ${count(rest, 'other step')}`]),
  ].join(', ');
}

/** How a step runs: `for each item`, `if its condition holds`. */
export function mannerOf({ forEach, condition }: Step): readonly string[] {
  return [
    ...(forEach === undefined ? [] : ['for each item']),
    ...(condition === undefined ? [] : ['if its condition holds']),
  ];
}
