/** What a plan holds of the responses it read, and what only its run reads. */
import type { PlanContext } from './plan-context.ts';
import { mayWrite } from './effect.ts';
import { refuseTooMuch } from './held-values.ts';
import type { Plan, PlannedStep } from './plan.ts';

/**
 * The values a run of the plan evaluates with, and what it reads itself; neither if it writes
 * nothing.
 */
export function readsIn(
  steps: readonly PlannedStep[],
  context: PlanContext,
): Pick<Plan, 'reads' | 'readLater'> {
  if (context.isOffline || !mayWrite({ steps })) return { reads: [] };
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
