/** The double-entry ledger: money only ever moves from one account to another. */
import type { Millis } from '../../../base/clock.ts';
import { assert } from '../../../base/error.ts';
import type { Money } from '../money.ts';

/** Why money moved. */
export type Because = 'credit' | 'transfer' | 'profit' | 'fee' | 'funding' | 'trade' | 'reserve';

/** One account of the ledger in one coin. */
export class LedgerAccount {
  readonly name: string;
  readonly coin: string;
  balance: Money = 0n;

  constructor(name: string, coin: string) {
    this.name = name;
    this.coin = coin;
  }
}

export interface Transfer {
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amount: Money;
  readonly because: Because;
  readonly at: Millis;
}

const transfersMax = 10_000; // enough to look back on a rehearsal; balances hold the rest

export class Ledger {
  private readonly accounts = new Map<string, LedgerAccount>();
  private readonly recent: Transfer[] = [];
  private made = 0;

  /** The account of a name and coin, opened when there is none. */
  account(name: string, coin: string): LedgerAccount {
    const key = `${name} ${coin}`;
    let account = this.accounts.get(key);
    if (account === undefined) {
      account = new LedgerAccount(name, coin);
      this.accounts.set(key, account);
    }
    return account;
  }

  /** Moves an amount; a negative one moves the other way. */
  move(
    { from, to, at }: { from: LedgerAccount; to: LedgerAccount; at: Millis },
    amount: Money,
    because: Because,
  ): void {
    if (amount === 0n) return;
    assert(from.coin === to.coin, 'money does not change its coin');
    from.balance -= amount;
    to.balance += amount;
    const transfer =
      amount < 0n
        ? { from: to, to: from, amount: -amount, because, at }
        : { from, to, amount, because, at };
    this.recent[this.made % transfersMax] = transfer;
    this.made++;
  }

  all(): Iterable<LedgerAccount> {
    return this.accounts.values();
  }

  /** The latest movements, newest first. */
  *transfers(): Generator<Transfer, void, undefined> {
    for (let back = 1; back <= this.recent.length; back++) {
      const transfer = this.recent[(this.made - back) % transfersMax];
      if (transfer !== undefined) yield transfer;
    }
  }

  /** Puts a movement back as it was remembered; balances are restored on their own. */
  remember(transfer: Transfer): void {
    this.recent[this.made % transfersMax] = transfer;
    this.made++;
  }
}
