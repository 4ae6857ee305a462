/** What the interpreter has at hand beside the engine: names, limits, and the wish to stop. */
import { ConfigError } from '../base/error.ts';
import type { Destination } from '../journal/entry.ts';
import type { Ledger } from '../journal/ledger.ts';
import { profileOf } from '../plan/account.ts';
import type { Naming } from '../plan/call.ts';
import { bothBooks, type GuardBook } from '../plan/guards.ts';
import type { Item } from '../plan/items.ts';
import type { GuardRules } from '../playbook/limits.ts';
import type { Playbook, Step } from '../playbook/playbook.ts';
import type { Scope } from '../playbook/expression/value.ts';
import type { Durable } from './durable.ts';
import type { RunJobs } from './jobs.ts';

export interface Desk {
  readonly durable: Durable<RunJobs>;
  /** The playbook whose steps are walked. */
  readonly playbook: Playbook;
  /** The item this playbook is used by; '' for the run's own. */
  readonly within: string;
  /** What every scope has under `run`. */
  readonly run: Scope['run'];
  readonly naming: Naming;
  /** The accounts of other profiles that steps name, as the plan found them. */
  readonly accounts: ReadonlyMap<string, OtherAccount>;
  /** The limits in force, asked once more before each send. */
  readonly guards: GuardBook;
  /** Limits of the playbooks in use, by the item that uses them. */
  readonly books: Map<string, GuardBook>;
  /** Which action gave its order a clientOid, by account and clientOid. */
  readonly names: Map<string, string>;
  /** What earlier runs did. */
  readonly ledger: Ledger;
  /** Mark prices by symbol, as the plan observed them. */
  readonly marks: Readonly<Record<string, string>>;
  /** Aborted by the first interrupt: nothing new is begun. */
  readonly drain: AbortSignal;
}

/** Another account of the run, with its own limits and what is counted of it. */
export interface OtherAccount {
  readonly destination: Destination;
  readonly book: GuardBook;
}

export function accountsFrom(
  accounts: readonly { readonly destination: Destination; readonly guards: GuardRules }[],
  guards: GuardBook,
): ReadonlyMap<string, OtherAccount> {
  return new Map(
    accounts.map(({ destination, guards: rules }) => {
      const { profile } = destination;
      return [profile, { destination, book: guards.child(rules, profile) }];
    }),
  );
}

/**
 * The desk on an item's account; its limits count beside those of the run.
 * @throws ConfigError for an account the plan did not open: nothing is sent where nobody looked
 */
export function deskFor(step: Step, item: Item, desk: Desk): Desk {
  const profile = profileOf(step, item);
  if (profile === undefined || profile === desk.naming.destination.profile) return desk;
  const account = desk.accounts.get(profile);
  if (account === undefined) {
    throw new ConfigError(
      `${item.address}: the plan did not know of account ${JSON.stringify(profile)}`,
      'name accounts by inputs, or by items that are known before the run',
    );
  }
  const { destination, book } = account;
  return {
    ...desk,
    naming: { ...desk.naming, destination },
    guards: bothBooks(desk.guards, book),
  };
}

/** The key of an address for the engine: a child's keys are under its own already. */
export function keyOf(address: string, { within }: Desk): string {
  return within === '' ? address : address.slice(within.length + 1);
}
