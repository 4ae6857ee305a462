/** Accounts that are not profiles, that are on another exchange, that have no account-id which a write needs, or that are of another family. */
import { wrongFamily } from '../../exchange/api/family.ts';
import { stepsOf } from '../expressions.ts';
import { isLasting, mayChange } from '../lasting.ts';
import type { AccountRules } from '../limits.ts';
import { accountsOf } from '../named-accounts.ts';
import type { Playbook, Step } from '../playbook.ts';
import type { SourceRange } from '../source-range.ts';
import type { Problems } from '../problems.ts';

/**
 * @param profile the playbook's profile, unless a step names another
 * @param own that of the run, which a nested playbook may not have
 */
export function checkAccountIds(
  playbook: Playbook,
  profile: string,
  rules: AccountRules,
  problems: Problems,
  own = profile,
): void {
  for (const step of stepsOf(playbook)) {
    const names = step.account === undefined ? [profile] : accountsOf(step);
    for (const name of names ?? []) checkOn(step, { name, own }, rules, problems); // others are known when planning
  }
}

/** Checks a step on one of its accounts. */
function checkOn(
  step: Step,
  { name, own }: { readonly name: string; readonly own: string },
  rules: AccountRules,
  problems: Problems,
): void {
  if (step.account !== undefined) {
    checkProfile(name, step.account.at, rules, problems);
    const { message, hint } = rules.elsewhere(name, own) ?? {};
    if (message !== undefined)
      problems.add('PB427', step.account.at, message, hint === undefined ? {} : { hint });
  }
  if (step.action.kind === 'playbook') {
    checkAccountIds(step.action.playbook, name, rules, problems, own);
    return;
  }
  checkFamily(step, name, rules, problems);
  const why = reasonFor(step, rules);
  if (why === undefined || !rules.lacksId(name)) return;
  const message = `${step.id}: ${name} is live and has no account-id, which ${why} needs`;
  problems.add('PB421', step.usesAt, message, { hint: rules.hint(name) });
}

function checkFamily(step: Step, name: string, rules: AccountRules, problems: Problems): void {
  const family = rules.family(name);
  if (family === undefined || step.action.kind !== 'call') return;
  const wrong = wrongFamily(step.action.operation, family);
  if (wrong)
    problems.add('PB424', step.usesAt, `${step.id}: ${wrong.message}`, { hint: wrong.hint });
}

/** @param at location of the name */
export function checkProfile(
  name: string,
  at: SourceRange,
  rules: AccountRules,
  problems: Problems,
): void {
  const unknown = rules.unknown(name);
  if (unknown === undefined) return;
  const { message, hint } = unknown;
  problems.add('PB422', at, message, hint === undefined ? {} : { hint });
}

function reasonFor(step: Step, { sharedBy }: AccountRules): string | undefined {
  if (isLasting(step)) return 'once-per: playbook';
  return mayChange(step) ? sharedBy : undefined;
}
