/** A profile: the account a playbook works on, its exchange, and its limits. */
import type { ApprovalRules } from '../../engine/approval/check.ts';
import type { Millis } from '../../base/clock.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { nothingDecided, type AccountDecisions } from '../../engine/journal/account-decisions.ts';
import type { Family } from '../../exchange/api/family.ts';
import type { Target } from '../../engine/journal/shared-schema.ts';
import type { Programs } from '../../engine/plan/programs.ts';
import type { GuardRules } from '../../language/limits.ts';
import type { SandboxRole } from '../../sandbox/world/initial-accounts.ts';
import type { Credentials } from './credentials.ts';
import type { Recipient } from './notify.ts';
import type { ProxySetting } from './proxy-setting.ts';

/** A profile's rules for plans; a rule that is absent has the default of the target. */
export interface PlanRules {
  readonly lasts?: Millis;
  /** Maximum move of a mark price, as a ratio. */
  readonly move?: string;
  /** Maximum items of a for-each; a run has at most twice as many. */
  readonly items?: number;
}

export interface Profile {
  readonly name: string;
  readonly target: Target;
  /** The account family of the key; absent: both are allowed, as on the sandbox. */
  readonly family?: Family;
  /** The address of the exchange; absent for the built-in sandbox. */
  readonly baseUrl?: URL;
  /** The proxy of the profile; absent: the proxy of the environment. */
  readonly proxy?: ProxySetting;
  /** The permanent name of the account with any key, such as its uid. */
  readonly accountId?: string;
  /** A person's decisions about keys and ids of the account. */
  readonly decided: AccountDecisions;
  /** The account of the built-in exchange that the profile uses. */
  readonly as: SandboxRole;
  readonly secrets: SecretSource;
  /** A key given by value, which replaces that of the source. */
  readonly credentials?: Credentials;
  readonly guards: GuardRules;
  /** Who answers the steps that ask for an approval; nobody can when absent. */
  readonly approvers?: ApprovalRules;
  /** The required approvals of a plan; none when absent. */
  readonly approval?: ApprovalRules;
  /** How long a plan is valid, how far prices may move, and how many items a step may have. */
  readonly plans: PlanRules;
  /** Programs that steps may run. */
  readonly programs: Programs;
  /** The recipients of notifications, and the events each receives. */
  readonly notify: readonly Recipient[];
  /** The address of the pages of `serve`, for links to runs; absent if no server is configured. */
  readonly pages?: string;
  /** The action for an order in doubt that cannot be found: ask a person, or send it again. */
  readonly onDoubt: 'ask' | 'resend';
  /** The source of the profile: `deskhand.yaml`, `environment`, `built in`. */
  readonly from: string;
}

/** The prefix of our own variables: DESKHAND_API_KEY and similar. */
export const ownPrefix = 'DESKHAND_';

/** The profile without any configuration: the exchange inside this process. */
export const builtInProfile: Profile = {
  name: 'sandbox',
  target: 'sandbox',
  decided: nothingDecided,
  as: 'hedge',
  secrets: { kind: 'env', name: ownPrefix },
  guards: {},
  plans: {},
  programs: false,
  notify: [],
  onDoubt: 'resend',
  from: 'built in',
};
