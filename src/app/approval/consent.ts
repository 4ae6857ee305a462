/** A person's consent to a plan or to the rest of a run: signed by others, or given by its id. */
import { shellWord } from '../../base/text.ts';
import { ApprovalError, MissingApprovalError } from '../../engine/approval/approval-error.ts';
import type { Config } from '../config/load.ts';
import type { Approval, Destination } from '../../engine/journal/entry.ts';
import { savePlan } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { AppContext } from '../app-context.ts';
import { refuseOutlived } from '../planning/reviewed.ts';
import { notifyingOfApproval } from '../running/notices.ts';
import type { Work } from '../accounts/work.ts';
import { askedFor } from './asked.ts';
import { realWords } from './real-words.ts';
import { approvalsOf } from './signed.ts';

/** The subject of an approval: a plan, or the rest of a run. */
export interface ToApprove {
  readonly kind: 'plan' | 'run';
  readonly id: string;
  readonly destination: Destination;
  /** The other accounts that steps of the plan name. */
  readonly accounts?: readonly Destination[] | undefined;
  readonly totals: Plan['totals'];
  /** The signal that is aborted when the work is stopped. */
  readonly signal: AbortSignal;
}

/**
 * Whether a plan or a run was approved in advance by its id; a sandbox needs no approval.
 * @throws ApprovalError for the id of something else
 */
export function isApproved(
  { kind, id, destination }: ToApprove,
  approved: string | undefined,
): boolean {
  if (approved === id) return true;
  if (approved !== undefined) {
    throw new ApprovalError(
      `--approve names ${approved}, but this ${kind} is ${id}`,
      'review it, then approve it',
    );
  }
  return destination.target === 'sandbox';
}

/** The error when no person can be asked to approve. */
export function notApprovedYet(what: ToApprove): MissingApprovalError {
  const { kind, id } = what;
  return new MissingApprovalError(
    `${kind} ${id} would send to ${realWords(what)}`,
    kind === 'run'
      ? `review it, then \`deskhand resume ${shellWord(id)} --approve ${shellWord(id)}\``
      : `review it, then add --approve ${id}`,
  );
}

/** Shows a person what would be sent, and asks. */
export interface Asking {
  /** @param isAsked whether a person now decides on the plan */
  readonly present: (plan: Plan, isAsked: boolean) => void;
  /** @throws ApprovalError without consent */
  readonly ask: (what: ToApprove) => Promise<void>;
}

export interface Consent {
  readonly approvals?: readonly Approval[];
  /** Whether a person reviewed the plan, for any length of time, and typed a word to approve it. */
  readonly isTyped: boolean;
}

interface ToRun {
  /** The id of a plan or run, given in advance as its approval. */
  readonly approved?: string | undefined;
  /** The plan that was reviewed before. */
  readonly reviewed?: Plan | undefined;
  readonly session: Work;
  readonly signal: AbortSignal;
}

/**
 * A plan for a live account is saved first for review, and presented whole; for any other account
 * its totals are.
 * @throws ApprovalError; StalePlanError when the plan expired while a person reviewed it
 */
export async function consentTo(
  plan: Plan,
  { approved, reviewed, session, signal }: ToRun,
  { present, ask }: Asking,
  config: Config,
  context: AppContext,
): Promise<Consent> {
  const { id, destination, accounts, totals } = plan;
  const isSigned = askedFor(plan, config).length > 0;
  const isLive = destination.target !== 'sandbox';
  const isAsked = isSigned ? reviewed === undefined : isLive && approved === undefined;
  if (isAsked) await savePlan(config.stateDir, reviewed ?? plan);
  present(plan, isAsked);
  const of = { playbook: plan.playbook, profile: session.profile };
  const approvals = await notifyingOfApproval({ ...of, plan: id }, context, async () => {
    const signed = await approvalsOf(plan, config, context);
    // If other people signed approvals, no word is typed here.
    const what: ToApprove = { kind: 'plan', id, destination, accounts, totals, signal };
    if (!isApproved(what, approved ?? (signed && id))) await ask(what);
    return signed;
  });
  const word = approved ?? (approvals && id);
  const isTyped = isLive && word === undefined;
  if (isTyped) await refuseOutlived(plan, session.exchange, signal, session.profile.plans.lasts);
  return { isTyped, ...(approvals && { approvals }) };
}
