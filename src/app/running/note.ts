/** A note for a person during a plan or a run, in addition to its result or its error. */
import type { Difference } from '../../engine/plan/moved.ts';
import type { Problem } from '../../language/problem.ts';
import type { RecordedPlaybook } from '../../engine/journal/recorded-playbook.ts';

export type Note =
  /** A failure that changes no outcome, such as that of a notification. */
  | { readonly kind: 'warning'; readonly message: string; readonly hint?: string }
  /** A fact that a person may not expect. */
  | { readonly kind: 'remark'; readonly message: string }
  /** The account name of a playbook has another meaning here. */
  | { readonly kind: 'account'; readonly message: string }
  /** Problems of a playbook at their locations: errors, or only warnings. */
  | {
      readonly kind: 'problems';
      readonly problems: readonly Problem[];
      readonly playbook: KeptPlaybook;
    }
  /** Inputs that cannot be used. */
  | { readonly kind: 'inputs'; readonly problems: readonly InputProblem[] }
  /** The differences of the account, the market or the playbook from a reviewed plan. */
  | { readonly kind: 'differences'; readonly differences: readonly Difference[] }
  /** The run has ended, and other machines may not know how. */
  | { readonly kind: 'unreported'; readonly run: string; readonly because: string };

/** A playbook as stored in a journal or a plan. */
export type KeptPlaybook = Pick<RecordedPlaybook, 'file' | 'text' | 'includes'>;

export interface InputProblem {
  readonly message: string;
  readonly hint?: string;
}
