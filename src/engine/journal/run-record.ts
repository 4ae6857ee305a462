/** What is read of a run for the ledger of another one. */
import type { Millis } from '../../base/clock.ts';
import type { Destination, Entry } from './entry.ts';

/** A run with its whole journal. */
export interface RunRecord {
  readonly run: string;
  readonly entries: readonly Entry[];
  /**
   * The accounts on which the run created something once per run; absent if no reader needs it, or if
   * `entries` has all entries.
   */
  readonly createdOn?: readonly CreatedOn[];
}

/** An account on which a run created something once per run. */
export interface CreatedOn {
  readonly account: Destination;
  /** The time that the last signature of such a write carries, by the exchange's clock. */
  readonly signedAt: Millis;
  /** The time of the last of their intents, by the clock of the machine. */
  readonly at: Millis;
}
