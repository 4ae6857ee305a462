/** What a person decides about: a plan, for the profiles that require approvals. */
import type { Millis } from '../../base/clock.ts';
import type { Config } from '../../app/config/load.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Asked } from '../../app/approval/asked.ts';

export interface Decision {
  readonly verdict: 'approve' | 'decline';
  /** For an approval, computed again. */
  readonly plan: Plan;
  readonly config: Config;
  readonly asked: readonly Asked[];
  /** How long an approval is valid, at most what each profile allows. */
  readonly lasts: Millis;
}
