/** The double-entry ledger: money only moves between accounts. */
import type { Millis } from '../../../base/clock.ts';
import { assert } from '../../../base/error.ts';
import type { Money } from '../money.ts';
import { MoneyColumn } from './money-column.ts';

/** The reason for a movement of money. */
export type Because = 'credit' | 'transfer' | 'profit' | 'fee' | 'funding' | 'trade' | 'reserve';

/** A ledger account in one coin. */
export class LedgerAccount {
  readonly name: string;
  readonly coin: string;
  /**
   * The column that contains the balance, beside those of other accounts, at the index `place`.
   */
  readonly balances: MoneyColumn;
  readonly place: number;

  constructor(about: {
    readonly name: string;
    readonly coin: string;
    readonly balances: MoneyColumn;
    readonly place: number;
  }) {
    this.name = about.name;
    this.coin = about.coin;
    this.balances = about.balances;
    this.place = about.place;
  }

  get balance(): Money {
    return this.balances.get(this.place);
  }

  set balance(amount: Money) {
    this.balances.set(this.place, amount);
  }

  get roughBalance(): number {
    return this.balances.rough(this.place);
  }
}

/** The accounts that money moves between. */
export interface Way {
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
}

/** A transfer between ledger accounts. The amount is positive. */
export interface Transfer extends Way {
  readonly amount: Money;
  readonly because: Because;
  readonly at: Millis;
}

const transfersMax = 10_000; // enough for a review; balances contain the rest

export class Ledger {
  private readonly accounts = new Map<string, LedgerAccount>();
  private readonly balances = new MoneyColumn();
  /** The latest transfers in a ring of columns; a negative amount has the opposite direction. */
  private readonly recent = {
    from: new Array<LedgerAccount>(),
    to: new Array<LedgerAccount>(),
    amount: new MoneyColumn(),
    because: new Array<Because>(),
    at: new Array<Millis>(),
  };
  private made = 0;

  /** The account of a name and coin, opened if missing. */
  account(name: string, coin: string): LedgerAccount {
    const key = `${name} ${coin}`;
    let account = this.accounts.get(key);
    if (account === undefined) {
      const { balances } = this;
      account = new LedgerAccount({ name, coin, balances, place: this.accounts.size });
      this.accounts.set(key, account);
    }
    return account;
  }

  /** Moves an amount; a negative one moves in the opposite direction. */
  move(way: Way, amount: Money, because: Because, at: Millis): void {
    if (amount === 0n) return;
    const { from, to } = way;
    assert(from.coin === to.coin, 'money does not change its coin');
    this.balances.subtract(from.place, amount);
    this.balances.add(to.place, amount);
    this.remember(way, amount, because, at);
  }

  all(): Iterable<LedgerAccount> {
    return this.accounts.values();
  }

  /** The latest movements, newest first. */
  *transfers(): Generator<Transfer, void, undefined> {
    const { recent } = this;
    for (let back = 1; back <= recent.at.length; back++) {
      const place = (this.made - back) % transfersMax;
      const from = recent.from[place];
      const to = recent.to[place];
      const because = recent.because[place];
      const at = recent.at[place];
      if (!from || !to || !because || at === undefined) return;
      const amount = recent.amount.get(place);
      yield amount < 0n
        ? { from: to, to: from, amount: -amount, because, at }
        : { from, to, amount, because, at };
    }
  }

  /** Records a movement that the balances already include. */
  remember({ from, to }: Way, amount: Money, because: Because, at: Millis): void {
    const { recent } = this;
    const place = this.made % transfersMax;
    recent.from[place] = from;
    recent.to[place] = to;
    recent.amount.set(place, amount);
    recent.because[place] = because;
    recent.at[place] = at;
    this.made++;
  }
}
