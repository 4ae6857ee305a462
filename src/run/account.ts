/** The account an item works on: the run's own, or that of a profile its step names. */
import { ConfigError } from '../base/error.ts';
import { profileOf, type Account } from '../plan/account.ts';
import { bothBooks, type GuardBook } from '../plan/guards.ts';
import type { Item } from '../plan/items.ts';
import type { Step } from '../playbook/playbook.ts';
import type { Bench, OtherAccount } from './bench.ts';

export function accountsFrom(
  accounts: readonly Account[],
  guards: GuardBook,
): ReadonlyMap<string, OtherAccount> {
  return new Map(
    accounts.map((account) => {
      const { profile } = account.destination;
      return [profile, { ...account, book: guards.child(account.guards, profile), orders: {} }];
    }),
  );
}

/**
 * The bench on an item's account; its limits count beside those of the run.
 * @throws ConfigError for an account the plan did not open: nothing is sent where nobody looked
 */
export function benchFor(step: Step, item: Item, bench: Bench): Bench {
  const profile = profileOf(step, item);
  if (profile === undefined || profile === bench.naming.destination.profile) return bench;
  const account = bench.accounts.get(profile);
  if (account === undefined) {
    throw new ConfigError(
      `${item.address}: the plan did not know of account ${JSON.stringify(profile)}`,
      'name accounts by inputs, or by items that are known before the run',
    );
  }
  const { exchange, terms, destination, onDoubt, book, orders } = account;
  const naming = { ...bench.naming, destination };
  return {
    ...bench,
    exchange,
    terms,
    naming,
    onDoubt,
    orders,
    guards: bothBooks(bench.guards, book),
  };
}
