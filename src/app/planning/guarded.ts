/** Checks limits before anything is sent: those of a whole plan, or those of one call. */
import { DeskhandError, exits } from '../../base/error.ts';
import type { JsonRecord } from '../../base/json.ts';
import type { OpenedProfile } from '../config/opened-profile.ts';
import { checkInput } from '../../exchange/api/check.ts';
import type { Exchange, Sending } from '../../exchange/api/exchange.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { LimitError, WriteLimits } from '../../engine/effects/limits.ts';
import { Prices } from '../../engine/effects/prices.ts';
import { hoursText, isOpenAt } from '../../engine/plan/limit-checks.ts';
import { LimitTracker } from '../../engine/plan/limit-tracker.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { GuardRules } from '../../language/limits.ts';
import type { AppContext } from '../app-context.ts';

/** The error when a limit blocks a write; nothing was sent. */
class GuardError extends DeskhandError {
  constructor(message: string) {
    super(`${message}; nothing was sent`, {
      code: 'guard',
      actor: 'reviewer',
      exit: exits.heldBack,
      hint: 'change the playbook, or ask the owner of the guard to change it',
    });
  }
}

/** @throws GuardError when the plan violates a guard */
export function refuseBroken({ guards }: Plan): void {
  const broken = guards.filter(({ isKept }) => !isKept);
  if (broken.length === 0) return;
  throw new GuardError(`blocked: ${broken.map(({ message }) => message).join('; ')}`);
}

/** Refuses writes outside their hours; the plan stays unused. @throws GuardError */
export async function refuseClosed(
  { hours }: GuardRules,
  { totals }: Plan,
  exchange: Exchange,
): Promise<void> {
  if (hours === undefined || totals.create + totals.set === 0) return;
  if (isOpenAt(hours, await exchange.serverTime())) return;
  throw new GuardError(`blocked: it is outside the hours ${hoursText(hours)}`);
}

/** Checks a call against the limits of its profile, as in a playbook. */
export interface HandLimits {
  /** @throws GuardError */
  readonly check: () => Promise<void>;
  /** Checks the call right before each send, with current prices. @throws GuardError */
  readonly beforeSend: (sending: Sending) => Promise<void>;
}

export function handLimits(
  operation: OperationName,
  input: JsonRecord,
  { profile, destination: account, exchange }: OpenedProfile,
  { clock }: AppContext,
): HandLimits {
  const tracker = new LimitTracker(profile.guards, { at: clock.now() });
  const limits = new WriteLimits(tracker, new Prices(exchange, clock), exchange);
  const isWrite = operationOf(operation).effect !== 'read';
  const write = { address: operation, operation, input, account };
  const { signal } = new AbortController();
  const check = async (): Promise<void> => {
    if (!isWrite) return;
    checkInput(operation, input);
    await limits.check(write, signal).catch((error: unknown) => {
      throw error instanceof LimitError ? new GuardError(`blocked: ${error.because}`) : error;
    });
  };
  return { check, beforeSend: check };
}
