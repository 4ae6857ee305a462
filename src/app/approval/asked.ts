/** The approvals that the profiles of a plan require. */
import type { ApprovalRules } from '../../engine/approval/check.ts';
import { ConfigError } from '../../base/error.ts';
import type { Config } from '../config/load.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { mayAct } from '../../engine/plan/effect.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

/** The approval requirements of one profile. */
export interface Asked {
  readonly profile: string;
  readonly rules: ApprovalRules;
}

/** Every profile of a plan that requires approvals; a plan that only reads needs none. */
export function askedFor(plan: Plan, config: Config): Asked[] {
  return mayAct(plan) ? rulesFor(destinationsOf(plan), config) : [];
}

/** The requirements of the profiles of some accounts. */
export function rulesFor(accounts: readonly Destination[], { profiles }: Config): Asked[] {
  return accounts.flatMap(({ profile }) => {
    const rules = profiles.get(profile)?.approval;
    return rules === undefined ? [] : [{ profile, rules }];
  });
}

/**
 * All rules that a person may sign under.
 * @throws ConfigError when no profile of the plan requires approvals
 */
export function askedOf(plan: Plan, config: Config): readonly [Asked, ...Asked[]] {
  const [first, ...others] = askedFor(plan, config);
  if (first !== undefined) return [first, ...others];
  const { profile } = plan.destination;
  throw new ConfigError(
    `profile ${profile} requires no signed approval of this plan`,
    `run it with --approve ${plan.id}, or configure approvals: profiles.${profile}.approve`,
  );
}
