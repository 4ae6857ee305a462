/** Limits on writes to an account: of a profile, a playbook, or both. */
import type { Family } from '../exchange/api/family.ts';
import type { OperationName } from '../exchange/api/operations/index.ts';
import type { NumberRules } from './number-guards.ts';

/** The limits in force. An absent limit does not apply. */
export interface GuardRules extends NumberRules {
  readonly symbols?: readonly string[];
  /** Operations that may write. */
  readonly operations?: readonly OperationName[];
  /** Accounts that may be written to: profiles, or fingerprints of keys. */
  readonly accounts?: readonly string[];
  /** Whether a doubt of another playbook on the account and symbol blocks a run; default: on live. */
  readonly doubts?: 'block' | 'show';
  /** The allowed hours as texts; one of every list must match now. */
  readonly hours?: readonly (readonly string[])[];
}

/** The limits of a profile, which a playbook cannot change. */
export interface OuterGuards {
  readonly profile: string;
  readonly rules: GuardRules;
  /** Requirements for the accounts of profiles; default: none. */
  readonly accounts?: AccountRules;
}

/** The rules about accounts that need an id before a write. */
export interface AccountRules {
  /** Whether a profile is live and has no account-id. */
  readonly lacksId: (profile: string) => boolean;
  /** The setting that shares the state with other machines; absent if none does. */
  readonly sharedBy?: string;
  /** The instruction for setting the account-id of a profile. */
  readonly hint: (profile: string) => string;
  /** The account family of a profile; undefined if it does not say. */
  readonly family: (profile: string) => Family | undefined;
  /** The problem of an unknown profile; undefined for a known one. */
  readonly unknown: (profile: string) => Fault | undefined;
  /** Why a profile cannot be used in a run on another one: they are on different exchanges. */
  readonly elsewhere: (profile: string, own: string) => Fault | undefined;
  /**
   * Why a program cannot be run on a profile. It uses only facts that another machine shares: the
   * profile's `allow`, and whether a path in the workspace is a program.
   */
  readonly program: (profile: string, name: string) => ProgramFault | undefined;
}

/** The problem and a hint: `unknown profile "mian" in …`, with a suggestion. */
export interface Fault {
  readonly message: string;
  readonly hint?: string;
}

export interface ProgramFault extends Fault {
  /** `missing` in the workspace, where an earlier program may create it; `elsewhere` is outside. */
  readonly kind: 'refused' | 'missing' | 'elsewhere';
}
