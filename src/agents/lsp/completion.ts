/** One completion at the cursor: what is offered, what it means, and the text that it replaces. */
import type { TextRange } from './steps.ts';

export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'name' | 'helper';
  /** The type or the usage of the completion, shown beside its label. */
  readonly detail?: string;
  /** The meaning of the completion. */
  readonly documentation?: string;
  /** The text that is written; default: the label. */
  readonly insert?: string;
  /** The text that the completion replaces. */
  readonly at: TextRange;
}
