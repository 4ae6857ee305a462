/** Limits on what may be written to an account, as rules: a profile's, a playbook's, or both. */
import type { OperationName } from '../contract/operations/index.ts';

/** The limits in force; decimals as texts, distance as a ratio. What is absent is not limited. */
export interface GuardRules {
  readonly maxWrites?: number;
  /** Total size times price of all orders, in the quote coin, as written. */
  readonly maxNotional?: string;
  readonly maxOrderNotional?: string;
  /** Largest distance of a price from the mark price: `0.05`. */
  readonly maxDistance?: string;
  readonly maxLeverage?: number;
  readonly symbols?: readonly string[];
  /** The only operations that may write. */
  readonly operations?: readonly OperationName[];
  /** The only accounts that may be written to: profiles, or fingerprints of keys. */
  readonly accounts?: readonly string[];
  /** Texts of hours; of every list one has to be now. */
  readonly hours?: readonly (readonly string[])[];
}

/** Limits that hold whatever a playbook says itself, and the profile they are of. */
export interface OuterGuards {
  readonly profile: string;
  readonly rules: GuardRules;
}
