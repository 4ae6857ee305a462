/** A plan that a branch commits: its signers, its differences from a plan made now, and whether it would still
 * run.
 */
import { count, plainText } from '../base/text.ts';
import type { Plan } from '../engine/plan/plan.ts';
import { changesBetween, type ChangedLine } from './plan-changes.ts';
import { moment } from './words.ts';

/** The approvals that a profile requires, and those that count so far. */
export interface Required {
  readonly profile: string;
  readonly count: number;
  readonly approved: readonly { readonly who: string }[];
  readonly declined: readonly { readonly who: string }[];
}

export interface CommittedPlan {
  /** The path of the plan file, then that of its playbook. */
  readonly file: string;
  readonly playbook: string;
  /** The plan; absent if the file does not contain one anymore. */
  readonly plan?: Plan;
  /** The approvals that each profile requires and has; empty if none requires an approval. */
  readonly required: readonly Required[];
  /** Whether the plan was compared with the exchange. */
  readonly isChecked: boolean;
  /** The reason why a run of the plan would be refused now, also with every approval. */
  readonly refusal?: string;
}

/** A committed plan in the form that programs read. */
export interface CommittedFacts {
  readonly file: string;
  readonly plan?: string;
  readonly required: CommittedPlan['required'];
  /** Whether the plan would still run; absent if that was not checked. */
  readonly runs?: boolean;
  readonly because?: string;
  /** The lines in which a plan made now differs. */
  readonly changes?: readonly ChangedLine[];
}

export function committedFacts(
  { file, plan, required, isChecked, refusal }: CommittedPlan,
  now: Plan | undefined,
): CommittedFacts {
  return {
    file,
    ...(plan && { plan: plan.id }),
    required,
    ...((isChecked || refusal !== undefined) && { runs: refusal === undefined }),
    ...(refusal !== undefined && { because: refusal }),
    ...(plan && now && { changes: changesBetween(plan, now) }),
  };
}

/** The signers as text: `signed by ben@desk.example (1 of 1 for main)`. */
export function signedWords({ plan, required }: CommittedPlan): string {
  if (plan === undefined) return 'it cannot be read';
  if (required.length === 0) return 'no profile requires an approval of it';
  const words = required.map(({ profile, count: needed, approved, declined }) => {
    const [no] = declined;
    if (no !== undefined) return `declined by ${plainText(no.who, 100)}`;
    const who = approved.map((each) => plainText(each.who, 100)).join(', ');
    const of = `${approved.length} of ${needed} for ${plainText(profile, 60)}`;
    return who === '' ? `not signed yet (${of})` : `signed by ${who} (${of})`;
  });
  return words.join('; ');
}

/** Whether the plan would run, as text: `it would still run, until 2026-11-20 12:15:00 UTC`. */
export function verdictWords({ plan, isChecked, refusal }: CommittedPlan): string {
  if (refusal !== undefined) return `its run would be refused now: ${plainText(refusal, 500)}`;
  if (!isChecked) return 'whether it would still run was not checked';
  const until = plan === undefined ? '' : `, until ${moment(plan.expiresAt)} UTC`;
  return `it would still run${until}`;
}

/** A committed plan as lines of text, with an empty line at the end. */
export function committedLines(
  all: readonly CommittedPlan[],
  now: Plan | undefined,
): readonly string[] {
  const lines = all.flatMap((committed) => {
    const { words, changes } = differenceWords(committed, now);
    const id = committed.plan === undefined ? '' : ` ${committed.plan.id}`;
    return [
      `To be signed and run: plan${id} in ${plainText(committed.file, 200)}, ${signedWords(committed)}; ${verdictWords(committed)}`,
      ...(words === '' ? [] : [words]),
      ...changes.map(({ sign, text }) => `  ${sign} ${text}`),
    ];
  });
  return [...lines, ''];
}

/**
 * The comparison as text: `Compared with p-4582240b, which was made now and which nobody signs: nothing
 * differs`.
 */
export function differenceWords(
  { plan }: CommittedPlan,
  now: Plan | undefined,
): { readonly words: string; readonly changes: readonly ChangedLine[] } {
  if (plan === undefined || now === undefined) return { words: '', changes: [] };
  const changes = changesBetween(plan, now);
  const how = changes.length === 0 ? 'nothing differs' : `${count(changes.length, 'line')} differ`;
  return {
    words: `Compared with ${now.id}, which was made now and which nobody signs: ${how}`,
    changes,
  };
}
