/** Whose names the writes of a run carry. */
import type { Destination } from '../journal/account.ts';

/** Whose names the writes of a run carry. */
export interface Naming {
  readonly playbook: string;
  /** Where it goes now. */
  readonly destination: Destination;
  readonly run: string;
  /** How a resumed run originally named its writes: it keeps those names. */
  readonly began?: Beginning;
}

/** How a run named its writes when it began. */
export interface Beginning {
  readonly naming: 1 | 2;
  /** Its accounts then. */
  readonly accounts: readonly Destination[];
}
