/** The steps of a run, as its start lists them. */
import type { Entry } from '../journal/entry.ts';
import type { PlannedStep } from '../plan/plan.ts';
import type { Playbook } from '../../language/playbook.ts';

type Listed = Extract<Entry, { readonly kind: 'started' }>['steps'];

/** @param planned names the accounts of each step, also of one that the run never begins */
export function listedSteps({ steps }: Playbook, planned: readonly PlannedStep[] = []): Listed {
  return steps.map(({ id, uses, name, at }) => {
    const actions = planned.find((step) => step.id === id)?.actions ?? [];
    const accounts = new Set(actions.flatMap(({ account }) => account ?? []));
    return {
      id,
      uses,
      ...(name !== undefined && { name }),
      line: at.start.line,
      ...(accounts.size > 0 && { accounts: [...accounts] }),
    };
  });
}
