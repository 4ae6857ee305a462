/** The last approved plan of a playbook, as far as this checkout can prove it. */
import { DeskhandError } from '../../base/error.ts';
import type { Config } from '../config/load.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Approved } from '../../report/plan-changes.ts';
import type { AppContext } from '../app-context.ts';
import { askedFor } from './asked.ts';

/**
 * The last approved plan; undefined when no profile requires approvals, none was approved, or the plan is not
 * available anymore. The plan is only displayed: if it cannot be proved, none is shown. Offline no program is
 * started, so nothing can be proved.
 */
export async function approvedLast(
  plan: Plan,
  config: Config,
  context: AppContext,
): Promise<Approved | undefined> {
  const asked = plan.isOffline ? [] : askedFor(plan, config);
  if (asked.length === 0) return undefined;
  const { newestApproved } = await import('./newest.ts');
  try {
    return await newestApproved(plan, asked, config, context);
  } catch (error) {
    if (error instanceof DeskhandError && error.actor !== 'ours') return undefined;
    throw error;
  }
}
