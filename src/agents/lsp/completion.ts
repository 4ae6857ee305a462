/** One completion at the cursor: what is offered, what it means, and the text that it replaces. */
import type { TextRange } from './steps.ts';

export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'name' | 'helper';
  /** Its type or its usage, beside the label. */
  readonly detail?: string;
  /** What it means. */
  readonly documentation?: string;
  /** The text that is written; default: the label. */
  readonly insert?: string;
  /** The text that it replaces. */
  readonly at: TextRange;
}
