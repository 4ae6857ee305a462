/** Why a plan may not be run any more: changed, used, too old, or no longer what a run would do. */
import { second, type Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { spoken } from '../base/text.ts';
import type { Plan } from './plan.ts';

/** A plan that may not be run; nothing was sent. */
export class StalePlanError extends DeskhandError {
  constructor(message: string, hint = 'make a new plan and have it reviewed') {
    super(`${message}; nothing was sent`, {
      code: 'stale-plan',
      actor: 'reviewer',
      exit: exits.heldBack,
      hint,
    });
  }
}

/**
 * @param now by the exchange's clock
 * @param lasts the profile's own word on it, which a plan cannot go beyond
 * @throws StalePlanError when the plan is too old, or nothing was read for it
 */
export function refuseExpired(plan: Plan, now: Millis, lasts: Millis | undefined): void {
  const { id, observedAt, expiresAt, isOffline } = plan;
  if (isOffline) throw new StalePlanError(`plan ${id} was made offline: nothing was read for it`);
  const until = Math.min(expiresAt, observedAt + (lasts ?? Infinity));
  if (now <= until) return;
  const age = spoken(wholeSeconds(now - observedAt));
  const life = spoken(wholeSeconds(until - observedAt));
  throw new StalePlanError(`plan ${id} is ${age} old and was good for ${life}`);
}

function wholeSeconds(ms: Millis): Millis {
  return Math.floor(ms / second) * second;
}
