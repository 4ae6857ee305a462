/** A profile: which account a playbook works on, where it is, and what may be done with it. */
import type { ApprovalRules } from '../approval/check.ts';
import type { Millis } from '../base/clock.ts';
import { nothingDecided, type AccountDecisions } from '../journal/standing.ts';
import type { Programs } from '../plan/programs.ts';
import type { GuardRules } from '../playbook/limits.ts';
import type { SandboxRole } from '../sandbox/world/accounts.ts';

/** Where the key of a profile is found; each way gives API_KEY, API_SECRET and API_PASSPHRASE. */
export type SecretSource =
  /** Variables of the environment that begin with this text. */
  | { readonly kind: 'env'; readonly prefix: string }
  /** A file of NAME=value lines that only its owner may read. */
  | { readonly kind: 'file'; readonly path: string }
  /** A program that prints NAME=value lines; never through a shell, and started in that folder. */
  | {
      readonly kind: 'exec';
      readonly words: readonly [string, ...string[]];
      readonly folder: string;
    };

/** What a profile says of plans; what it does not say is as usual for its target. */
export interface PlanRules {
  readonly lasts?: Millis;
  /** Largest move of a mark price, as a ratio. */
  readonly move?: string;
}

export interface Profile {
  readonly name: string;
  readonly target: 'sandbox' | 'live';
  /** Absent for the sandbox inside this process. */
  readonly baseUrl?: URL;
  /** What the account is called, whichever key reaches it; a lasting text such as its uid. */
  readonly accountId?: string;
  /** What a person decided about keys and ids of the account. */
  readonly decided: AccountDecisions;
  /** Which account of the built-in exchange. */
  readonly as: SandboxRole;
  readonly secrets: SecretSource;
  readonly guards: GuardRules;
  /** Whose signed approval a plan needs; no one's when absent. */
  readonly approval?: ApprovalRules;
  /** How long a plan may be run, and how far prices may move under it. */
  readonly plans: PlanRules;
  /** Programs that steps may run. */
  readonly programs: Programs;
  /** Name of the secret that holds a webhook's address: reported when a scheduled run cannot begin. */
  readonly notify?: string;
  /** What happens to an order that is in doubt and cannot be found. */
  readonly onDoubt: 'ask' | 'resend';
  /** Where it was written down: `deskhand.yaml`, `environment`, `built in`. */
  readonly from: string;
}

/** The prefix of our own variables; DESKHAND_API_KEY and its siblings. */
export const ownPrefix = 'DESKHAND_';

/** What is there when nothing is configured: the exchange inside this process. */
export const builtInProfile: Profile = {
  name: 'sandbox',
  target: 'sandbox',
  decided: nothingDecided,
  as: 'hedge',
  secrets: { kind: 'env', prefix: ownPrefix },
  guards: {},
  plans: {},
  programs: false,
  onDoubt: 'resend',
  from: 'built in',
};
