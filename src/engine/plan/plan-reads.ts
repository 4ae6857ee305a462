/** The values of responses that a plan stores, and the reads that only its run makes. */
import type { PlanContext } from './plan-context.ts';
import { mayAct } from './effect.ts';
import { refuseTooMuch } from './held-values.ts';
import type { Plan, PlannedStep } from './plan.ts';

/**
 * The values with which a run of the plan evaluates, and the reads that it makes itself; neither if it has no
 * effect outside this process: then it reads again what it needs.
 */
export function readsIn(
  steps: readonly PlannedStep[],
  context: PlanContext,
): Pick<Plan, 'reads' | 'readLater'> {
  if (context.isOffline || !mayAct({ steps })) return { reads: [] };
  refuseTooMuch(context.reads);
  const accounts = new Map(
    steps.flatMap(({ actions }) => actions.map((each) => [each.address, each.account])),
  );
  const readLater = [...context.readLater].map(([address, values]) => {
    const account = context.accounts.size > 0 ? accounts.get(address) : undefined;
    return { address, ...(account !== undefined && { account }), values };
  });
  return {
    reads: [...context.reads].map(([address, values]) => ({ address, values })),
    ...(readLater.length > 0 && { readLater }),
  };
}
