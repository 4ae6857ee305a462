/** Chooses the account identity that names a run's writes. */
import type { Destination } from '../journal/account.ts';

/** The account identity that names a run's writes. */
export interface Naming {
  readonly playbook: string;
  /** The current destination. */
  readonly destination: Destination;
  readonly run: string;
  /** The naming with which a resumed run started: it keeps those names. */
  readonly began?: Beginning;
}

/** The naming that a run used for its writes at its start. */
export interface Beginning {
  readonly naming: 1 | 2;
  /** The accounts of the run at its start. */
  readonly accounts: readonly Destination[];
}
