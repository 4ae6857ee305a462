/** The plan context of an item's account, and accounts that only the run may use. */
import { EvaluationError, type Scope } from '../playbook/expression/value.ts';
import { stepsOf } from '../playbook/expressions.ts';
import type { Playbook, Step } from '../playbook/playbook.ts';
import { profileOf } from './account.ts';
import type { PlannedAccount, PlanContext } from './context.ts';
import { itemsOf, type Item } from './items.ts';
import { nestedIn } from './nested.ts';
import { asksNobody, observerFor } from './recorded.ts';

/** The context of an item's account; its limits count in addition to those of the run. */
export async function contextFor(
  step: Step,
  item: Item,
  context: PlanContext,
): Promise<PlanContext> {
  const profile = profileOf(step, item);
  if (profile === undefined || profile === context.naming.destination.profile) return context;
  const account = context.accounts.get(profile) ?? (await openAccount(profile, context));
  const { exchange, destination, observer, ledger = context.ledger } = account;
  const naming = { ...context.naming, destination };
  const terms = context.isOffline || asksNobody(context) ? undefined : account.terms;
  return { ...context, exchange, terms, naming, ledger, observer, openOrders: new Map() };
}

/** The profile, if it is not that of the outer context. */
export function accountIn(
  context: PlanContext,
  around: PlanContext,
): { readonly account?: string } {
  const { profile } = context.naming.destination;
  return profile === around.naming.destination.profile ? {} : { account: profile };
}

async function openAccount(profile: string, context: PlanContext): Promise<PlannedAccount> {
  const account = await context.open(profile);
  context.limits.open({ kind: 'account', profile }, account.guards);
  const opened = { ...account, observer: observerFor(account.exchange, context, profile) };
  context.accounts.set(profile, opened);
  return opened;
}

/**
 * Opens every account that a step or a nested playbook names with known values, because the run
 * sends nothing to an account that its plan did not open. For steps that are known only during the run.
 * @throws ConfigError, CredentialError for an account that cannot be opened
 */
export async function openAccountsOf(
  step: Step,
  scope: Scope,
  context: PlanContext,
): Promise<void> {
  for (const item of itemsKnown(step, scope, context.items.max)) {
    const on = (await ifKnown(() => contextFor(step, item, context))) ?? context;
    if (step.action.kind !== 'playbook') continue;
    const { playbook } = step.action;
    const within = (await ifKnown(() => nestedIn(playbook, step, item).scope)) ?? nothingKnown;
    await openAccountsIn(playbook, within, on);
  }
}

async function openAccountsIn(
  playbook: Playbook,
  scope: Scope,
  context: PlanContext,
): Promise<void> {
  for (const step of stepsOf(playbook)) await openAccountsOf(step, scope, context);
}

const nothingKnown: Scope = { inputs: {}, steps: {} };

/** The items as far as known; the step itself if they are known only during the run. */
function itemsKnown(step: Step, scope: Scope, itemsMax: number): readonly Item[] {
  const itself = { address: step.path, scope };
  try {
    const found = itemsOf(step, scope, itemsMax);
    return 'items' in found ? found.items : [itself];
  } catch (error) {
    if (error instanceof EvaluationError) return [itself];
    throw error;
  }
}

/** Undefined for an expression that needs a value of the run. */
async function ifKnown<T>(look: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
