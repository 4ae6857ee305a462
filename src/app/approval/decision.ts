/** A person's decision about a plan, for the profiles that require approvals. */
import type { Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import { recordOf, type ApprovalRecord } from '../../engine/approval/record.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Config } from '../config/load.ts';
import type { AppContext } from '../app-context.ts';
import { refuseBroken } from '../planning/guarded.ts';
import { askedOf, type Asked } from './asked.ts';
import { computedPlan } from './computed.ts';
import { refuseUnbounded } from './unbounded.ts';

export interface Decision {
  readonly verdict: 'approve' | 'decline';
  /** The plan; for an approval, computed again. */
  readonly plan: Plan;
  readonly config: Config;
  readonly asked: readonly Asked[];
  /** How long an approval is valid: at most as long as each profile allows. */
  readonly lasts: Millis;
}

/**
 * A decision about a saved plan. To approve it, it is computed again from its playbook.
 * @param lasts how long an approval should be valid; default: as long as the profiles allow
 * @throws StalePlanError when the plan differs; ConfigError when no profile requires approvals
 */
export async function decisionOn(
  saved: Plan,
  verdict: Decision['verdict'],
  lasts: Millis | undefined,
  config: Config,
  context: AppContext,
): Promise<Decision> {
  // A plan may be declined whatever its contents are.
  const plan = verdict === 'approve' ? await computedPlan(saved, config, context) : saved;
  const asked = askedOf(plan, config);
  const longest = Math.max(...asked.map(({ rules }) => rules.lasts)); // each profile has its own limit
  return { verdict, plan, config, asked, lasts: Math.min(lasts ?? longest, longest) };
}

/** The record of a decision, for a person to sign; it is valid from now on. */
export function recordFor(
  { verdict, plan, lasts }: Decision,
  comment: string | undefined,
  at: Millis,
): ApprovalRecord {
  return recordOf(plan, {
    verdict,
    at,
    ...(verdict === 'approve' && { expiresAt: at + lasts }),
    ...(comment !== undefined && { comment: plainText(comment) }),
  });
}

/** @throws GuardError, ApprovalError for a plan that nobody may approve */
export function refuseUnsignable({ verdict, plan }: Decision): void {
  if (verdict === 'decline') return;
  refuseBroken(plan);
  refuseUnbounded(plan);
}
