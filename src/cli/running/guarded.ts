/** What a limit holds back before anything is sent: a whole plan, or one write by hand. */
import type { Clock } from '../../base/clock.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { Session } from '../../config/session.ts';
import { checkInput } from '../../contract/check.ts';
import { operationOf, type OperationName } from '../../contract/operations/index.ts';
import { guardBook } from '../../plan/guards.ts';
import { lineOf, observerOf } from '../../plan/observe.ts';
import type { Plan } from '../../plan/plan.ts';
import type { GuardRules } from '../../playbook/limits.ts';
import type { Context } from '../context.ts';

/** A limit holds something back; nothing was sent. */
class GuardError extends DeskhandError {
  constructor(message: string) {
    super(`${message}; nothing was sent`, {
      code: 'guard',
      actor: 'reviewer',
      exit: exits.heldBack,
      hint: 'change the playbook, or have the guard changed by whoever owns it',
    });
  }
}

/** @throws GuardError when the plan breaks a guard */
export function refuseBroken({ guards }: Plan): void {
  const broken = guards.filter(({ isKept }) => !isKept);
  if (broken.length === 0) return;
  throw new GuardError(`held back: ${broken.map(({ message }) => message).join('; ')}`);
}

/** Writes wait for their hours, and their plan stays unused. @throws GuardError */
export function refuseClosed({ hours }: GuardRules, { totals }: Plan, clock: Clock): void {
  if (hours === undefined || totals.create + totals.set === 0) return;
  const book = guardBook({ hours }, { now: () => clock.now() });
  const closed = book.results().find(({ used }) => used !== 'within');
  if (closed === undefined) return;
  throw new GuardError(`held back: it is outside the hours ${closed.limit}`);
}

/** A write by hand keeps the limits of its profile as a playbook would. @throws GuardError */
export async function refuseHeld(
  operation: OperationName,
  input: { readonly [field: string]: Json },
  { profile, destination: account, exchange }: Session,
  { clock }: Context,
): Promise<void> {
  if (operationOf(operation).effect === 'read' || Object.keys(profile.guards).length === 0) return;
  const given = input;
  checkInput(operation, given);
  const book = guardBook(profile.guards, { now: () => clock.now() });
  const line = lineOf(input['productType']);
  const quotes = line && (await observerOf(exchange, new AbortController().signal).quotes(line));
  const symbol = input['symbol'];
  const mark = typeof symbol === 'string' ? quotes?.get(symbol.toUpperCase())?.mark : undefined;
  const address = operation;
  const broken = book.add({ address, operation, input, account, ...(mark && { mark }) });
  if (broken.length > 0) throw new GuardError(`held back: ${broken.join('; ')}`);
}
