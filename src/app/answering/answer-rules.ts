/** Who may answer a question of a run: the rules of its profile, which a playbook can only tighten. */
import type { ApprovalRules } from '../../engine/approval/check.ts';
import { ConfigError } from '../../base/error.ts';
import { isRecord, type Json } from '../../base/json.ts';
import { count, listed, plainText } from '../../base/text.ts';
import type { Question } from '../../engine/journal/asked-schema.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { isApproval } from '../../language/approvals.ts';
import type { Config } from '../config/load.ts';

/** The people whom a step names. */
export type Asking = Pick<Question, 'by' | 'of' | 'count'>;

/**
 * The rules for the answers to a question.
 * @throws ConfigError when the profile has no signers, or nobody could answer
 */
export function answerRules(
  profile: string,
  { by, of, count: least = 1 }: Asking,
  { profiles }: Config,
): ApprovalRules {
  const rules = profiles.get(profile)?.approvers;
  if (rules === undefined) {
    throw new ConfigError(
      `profile ${plainText(profile, 60)} names nobody who may approve, and a step asks for an approval`,
      `add profiles.${plainText(profile, 60)}.approve: { signers: ./allowed_signers }; with plans: false its plans need none`,
    );
  }
  const people = both(rules.of, of);
  const needed = Math.max(rules.count, least);
  if (people !== undefined && people.length < needed) {
    const allowed = rules.of === undefined ? 'anyone' : listed(rules.of, 'or');
    throw new ConfigError(
      `${count(needed, 'approval')} by ${plainText(listed(of ?? people, 'or') || 'nobody', 200)} cannot be reached: profile ${plainText(profile, 60)} allows ${plainText(allowed, 200)}`,
      'change by or count of the step, or approve.of of the profile',
    );
  }
  return {
    ...rules,
    by: rules.by === 'other' || by === 'other' ? 'other' : 'anyone',
    count: needed,
    ...(people !== undefined && { of: people }),
  };
}

/**
 * The rules for the answers to each step of a plan that asks for an approval.
 * @throws ConfigError as `answerRules` does
 */
export function questionRules(
  { destination, steps }: Pick<Plan, 'destination' | 'steps'>,
  config: Config,
): readonly ApprovalRules[] {
  return steps.filter(isApproval).flatMap(({ actions }) =>
    actions.flatMap(({ change, account, input }) => {
      if (change.kind === 'skip' || change.kind === 'reused') return [];
      return [answerRules(account ?? destination.profile, askingIn(input), config)];
    }),
  );
}

/** The people whom the input of a planned step names, if it is known. */
function askingIn(input: Json): Asking {
  const { by, count: least } = isRecord(input) ? input : {};
  const names = Array.isArray(by) ? by.filter((name) => typeof name === 'string') : [];
  return {
    ...((by === 'other' || by === 'anyone') && { by }),
    ...(names.length > 0 && { of: names }),
    ...(typeof least === 'number' && { count: least }),
  };
}

/** The people whom both name; names are case-insensitive. */
function both(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const names = new Set(a.map((name) => name.toLowerCase()));
  return b.filter((name) => names.has(name.toLowerCase()));
}
