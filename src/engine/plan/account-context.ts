/** The plan context of an item's account, and accounts that only the run may use. */
import { EvaluationError, type Scope } from '../../language/expression/value.ts';
import { stepsOf } from '../../language/expressions.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import { profileOf } from './account.ts';
import type { PlannedAccount, PlanContext } from './plan-context.ts';
import { itemsOf, type Item } from './items.ts';
import { nestedIn } from './nested.ts';
import { asksNobody, observerFor } from './recorded.ts';
import { withLaterItem } from './scope.ts';

/** The context of an item's account; its limits count in addition to those of the run. */
export async function contextFor(
  step: Step,
  item: Item,
  context: PlanContext,
): Promise<PlanContext> {
  const profile = profileOf(step, item);
  if (profile === undefined || profile === context.naming.destination.profile) return context;
  if (profile === context.own.naming.destination.profile) return { ...context, ...context.own };
  const account = context.accounts.get(profile) ?? (await openAccount(profile, context));
  const { exchange, destination, observer, ledger = context.own.ledger } = account;
  const naming = { ...context.naming, destination };
  const terms = context.isOffline || asksNobody(context) ? undefined : account.terms;
  return { ...context, exchange, terms, naming, ledger, observer };
}

/** The profile of another account than the run's own. */
export function otherAccount({ naming, own }: PlanContext): string | undefined {
  const { profile } = naming.destination;
  return profile === own.naming.destination.profile ? undefined : profile;
}

interface AccountField {
  readonly account?: string;
}

/**
 * The account of an action, as its field; a built-in step has none.
 * @param context that of its account
 */
export function accountIn(
  { account, action }: Step,
  { naming }: Pick<PlanContext, 'naming'>,
): AccountField {
  if (action.kind === 'built-in' && account === undefined) return {};
  return { account: naming.destination.profile };
}

/** The account of a step as a whole: it may be known only during the run. */
export function accountOf(step: Step, scope: Scope, around: PlanContext): AccountField {
  if (step.account === undefined) return accountIn(step, around);
  try {
    const account = profileOf(step, { address: step.path, scope });
    return account === undefined ? {} : { account };
  } catch (error) {
    if (error instanceof EvaluationError) return {};
    throw error;
  }
}

async function openAccount(profile: string, context: PlanContext): Promise<PlannedAccount> {
  const account = await context.open(profile);
  context.limits.open({ kind: 'account', profile }, account.guards);
  const market = context.own.observer;
  const observer = observerFor(account.exchange, context, { profile, market });
  const opened = { ...account, observer };
  context.accounts.set(profile, opened);
  return opened;
}

/**
 * Opens every account that a step or a nested playbook names, and reports one that only the run would
 * know: the run sends nothing to an account that its plan did not open. For steps that are known only
 * during the run.
 * @throws ConfigError, CredentialError for an account that cannot be opened
 */
export async function openAccountsOf(
  step: Step,
  scope: Scope,
  context: PlanContext,
): Promise<void> {
  reportLateAccount(step, scope, context);
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

/**
 * Reports a step whose account is known too late: the run would end at it, with the writes before it
 * sent.
 */
function reportLateAccount(step: Step, scope: Scope, context: PlanContext): void {
  if (step.account === undefined || context.isOffline || context.mayFail) return;
  if (!profilesOf(step, scope, context).includes(undefined)) return;
  const error = new EvaluationError(
    'its account is known only during the run, and must be known before it',
    'name it by an input, or by each of a for-each over inputs',
  );
  error.at = step.account.at;
  context.problems.failed(step, step.path, error);
}

/** The profiles a step may use, as far as known; undefined for one that only the run knows. */
export function profilesOf(
  step: Step,
  scope: Scope,
  { items, naming }: PlanContext,
): readonly (string | undefined)[] {
  const found = itemsKnown(step, scope, items.max).map((item) => {
    try {
      return profileOf(step, item) ?? naming.destination.profile;
    } catch (error) {
      if (error instanceof EvaluationError) return undefined;
      throw error;
    }
  });
  return [...new Set(found)];
}

const nothingKnown: Scope = { inputs: {}, steps: {} };

/** The items as far as known; the step itself if they are known only during the run. */
function itemsKnown(step: Step, scope: Scope, itemsMax: number): readonly Item[] {
  const itself = { address: step.path, scope: withLaterItem(scope, step) };
  try {
    const found = itemsOf(step, scope, itemsMax);
    return 'items' in found ? found.items : [itself];
  } catch (error) {
    if (error instanceof EvaluationError) return [itself];
    throw error;
  }
}

/** The result of a look; undefined for an expression that needs a value of the run. */
async function ifKnown<T>(look: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
