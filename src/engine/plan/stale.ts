/** Why a plan can no longer be run: changed, used, expired, or different from what a run would do now. */
import { day, second, type Millis } from '../../base/clock.ts';
import { DeskhandError, exits, type ErrorReason } from '../../base/error.ts';
import { spoken } from '../../base/text.ts';
import type { Plan } from './plan.ts';

/** The plan is stale and may not be run; nothing was sent. */
export class StalePlanError extends DeskhandError {
  constructor(
    message: string,
    hint = 'make a new plan and get it reviewed',
    reasons?: readonly ErrorReason[],
  ) {
    super(`${message}; nothing was sent`, {
      code: 'stale-plan',
      actor: 'reviewer',
      exit: exits.heldBack,
      hint,
      ...(reasons && { reasons }),
    });
  }
}

/** The maximum validity of a plan if its profile has none. */
export const lastsAtMost: Millis = 7 * day;

const clocksApart = 10 * second; // two machines may differ by this much about the exchange's clock

/**
 * @param now by the exchange's clock
 * @param lasts the profile's limit, which a plan cannot exceed
 * @throws StalePlanError when the plan has expired, is from the future, or was made offline
 */
export function refuseExpired(plan: Plan, now: Millis, lasts: Millis | undefined): void {
  const { id, observedAt, expiresAt, isOffline } = plan;
  if (isOffline)
    throw new StalePlanError(`plan ${id} was made offline, without reading the account`);
  refuseUnending(plan, lasts);
  if (observedAt > now + clocksApart) {
    const ahead = spoken(wholeSeconds(observedAt - now));
    throw new StalePlanError(`plan ${id} was made ${ahead} from now, by the exchange's clock`);
  }
  const until = Math.min(expiresAt, observedAt + (lasts ?? Infinity));
  if (now <= until) return;
  const age = spoken(wholeSeconds(now - observedAt));
  const life = spoken(wholeSeconds(until - observedAt));
  throw new StalePlanError(`plan ${id} is ${age} old and was valid for ${life}`);
}

/**
 * Refuses a plan that is valid for too long: longer than the profile's limit and than the general maximum.
 * @throws StalePlanError for a validity that no plan can have
 */
export function refuseUnending(
  { id, observedAt, expiresAt }: Plan,
  lasts: Millis | undefined,
): void {
  const longest = Math.max(lasts ?? 0, lastsAtMost);
  if (expiresAt > observedAt && expiresAt - observedAt <= longest) return;
  const life = spoken(wholeSeconds(Math.max(0, expiresAt - observedAt)));
  throw new StalePlanError(
    `plan ${id} claims to be valid for ${life}; the maximum is ${spoken(longest)}`,
  );
}

function wholeSeconds(ms: Millis): Millis {
  return Math.floor(ms / second) * second;
}
