/** Steps of nested playbooks below the action that runs them, each level in the order in which it began. */
import { appendTo } from '../base/groups.ts';
import type { Address, Outcome, StepStatus } from '../engine/journal/entry.ts';

/** The place of a step: that of a nested playbook names the action that runs its playbook. */
export interface Nesting {
  /** Address of the action whose nested playbook has the step; absent for steps of the run's playbook. */
  readonly parent?: Address;
  /** Number of playbooks around that of the step. */
  readonly depth: number;
}

interface Nested {
  readonly id: string;
  readonly actions: readonly { readonly address: Address }[];
}

/** The steps of all playbooks as a tree: each action is followed by the steps that it runs. */
export function inTree<S extends Nested>(steps: readonly S[]): readonly (S & Nesting)[] {
  const addresses = new Set(steps.flatMap(({ actions }) => actions.map(({ address }) => address)));
  const roots: S[] = [];
  const below = new Map<Address, S[]>();
  for (const step of steps) {
    const parent = parentOf(step.id, addresses);
    if (parent === undefined) roots.push(step);
    else appendTo(below, parent, step);
  }
  const withNested = (step: S, nesting: Nesting): (S & Nesting)[] => [
    { ...step, ...nesting },
    ...step.actions.flatMap(({ address: parent }) =>
      (below.get(parent) ?? []).flatMap((each) =>
        withNested(each, { parent, depth: nesting.depth + 1 }),
      ),
    ),
  ];
  return roots.flatMap((step) => withNested(step, { depth: 0 }));
}

/** The longest action before a `/`: keys may contain one, too. */
function parentOf(id: string, addresses: ReadonlySet<Address>): Address | undefined {
  for (let at = id.lastIndexOf('/'); at > 0; at = id.lastIndexOf('/', at - 1)) {
    const address = id.slice(0, at);
    if (addresses.has(address)) return address;
  }
  return undefined;
}

interface Doubtful {
  readonly status?: StepStatus;
  isSettled: boolean;
  readonly actions: ReadonlyMap<Address, DoubtfulAction>;
}

interface DoubtfulAction {
  readonly isOpen: boolean;
  outcome?: Outcome;
}

/**
 * Forgets doubts that were settled later: the journal records the outcome of the write itself, and not of
 * the nested playbooks and steps around it.
 */
export function forgetSettled(all: Iterable<Doubtful>): void {
  const steps = [...all].filter(({ status }) => status === 'doubt');
  const actions = new Map(steps.flatMap((step) => [...step.actions]));
  const isInDoubt = (action: DoubtfulAction | undefined): boolean => {
    if (action?.outcome?.kind !== 'doubt') return action?.isOpen === true;
    const { at } = action.outcome;
    return at === undefined || !actions.has(at.address) || isInDoubt(actions.get(at.address));
  };
  const over = [...actions.values()].filter(
    (action) => action.outcome?.kind === 'doubt' && !isInDoubt(action),
  );
  for (const action of over) delete action.outcome;
  for (const step of steps) step.isSettled = ![...step.actions.values()].some(isInDoubt);
}
