/** Limits on what may be written to an account, as rules: a profile's, a playbook's, or both. */
import type { OperationName } from '../api/operations/index.ts';

/** The limits in force; decimals as texts, distance as a ratio. What is absent is not limited. */
export interface GuardRules {
  readonly maxWrites?: number;
  /** The most all orders may be worth, and each of them, in dollars: USDT, USDC and USD alike. */
  readonly maxNotional?: string;
  readonly maxOrderNotional?: string;
  /** Largest distance of a price from the mark price: `0.05`. */
  readonly maxDistance?: string;
  readonly maxLeverage?: number;
  readonly symbols?: readonly string[];
  /** Operations that may write. */
  readonly operations?: readonly OperationName[];
  /** Accounts that may be written to: profiles, or fingerprints of keys. */
  readonly accounts?: readonly string[];
  /** Texts of hours; of every list one has to be now. */
  readonly hours?: readonly (readonly string[])[];
}

/** Limits that hold whatever a playbook says itself, and the profile they are of. */
export interface OuterGuards {
  readonly profile: string;
  readonly rules: GuardRules;
  /** What is asked of the accounts of profiles; nothing when absent. */
  readonly accounts?: AccountRules;
}

/** Which accounts need an id before they are written to. */
export interface AccountRules {
  /** Whether a profile is live and has no account-id. */
  readonly lacksId: (profile: string) => boolean;
  /** What shares the state with other machines, as configured; absent when nothing does. */
  readonly sharedBy?: string;
  /** How a profile is given one. */
  readonly hint: (profile: string) => string;
  /** What is wrong with a name that is not a profile; undefined for one that is. */
  readonly unknown: (profile: string) => Fault | undefined;
  /**
   * What keeps a program from being run on a profile, as far as that is known without the machine
   * that runs it: the profile's `allow`, and whether a path of the workspace is a program.
   */
  readonly program: (profile: string, name: string) => ProgramFault | undefined;
}

/** What is wrong, and what to do: `unknown profile "mian" in …`, and the near one. */
export interface Fault {
  readonly message: string;
  readonly hint?: string;
}

export interface ProgramFault extends Fault {
  /** `missing` in the workspace, where an earlier program may make it; `elsewhere` is not of it. */
  readonly kind: 'refused' | 'missing' | 'elsewhere';
}
