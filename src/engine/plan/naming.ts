/** Chooses the account identity that names a run's writes. */
import type { Destination } from '../journal/account.ts';

/** The account identity that names a run's writes. */
export interface Naming {
  readonly playbook: string;
  /** The current destination. */
  readonly destination: Destination;
  readonly run: string;
  /** How a resumed run originally named its writes: it keeps those names. */
  readonly began?: Beginning;
}

/** How a run named its writes at its start. */
export interface Beginning {
  readonly naming: 1 | 2;
  /** Its accounts at that time. */
  readonly accounts: readonly Destination[];
}
