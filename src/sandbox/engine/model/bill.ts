/** Bills: the account's side of money movements, with the balance after each. */
import type { Millis } from '../../../base/clock.ts';
import type { BusinessType } from '../command.ts';
import type { Money } from '../money.ts';
import type { LedgerAccount } from './ledger.ts';
import { MoneyColumn } from './money-column.ts';

export interface Bill {
  readonly count: number;
  readonly symbol: string;
  readonly amount: Money;
  /** The fee; negative or zero. */
  readonly fee: Money;
  readonly businessType: BusinessType;
  readonly coin: string;
  readonly balance: Money;
  readonly at: Millis;
}

/** The fields of a bill that describe the movement. */
export type Entry = Pick<Bill, 'symbol' | 'amount' | 'fee' | 'businessType'>;

type Stamp = Pick<Bill, 'count' | 'at'>;

/** All bills in columns, in the order of their running numbers; converted to objects on demand. */
export class Bills {
  private readonly symbols: string[] = [];
  private readonly businessTypes: BusinessType[] = [];
  private readonly coins: string[] = [];
  private readonly times: Millis[] = [];
  private readonly amounts = new MoneyColumn();
  private readonly fees = new MoneyColumn();
  private readonly balances = new MoneyColumn();

  /** Appends the next bill, with the account's current balance. */
  write(entry: Entry, { coin, balances, place }: LedgerAccount, stamp: Stamp): void {
    this.put(entry, coin, stamp);
    this.balances.copy(stamp.count, balances, place);
  }

  /** Restores a saved bill under its number. */
  restore(bill: Bill): void {
    this.put(bill, bill.coin, bill);
    this.balances.set(bill.count, bill.balance);
  }

  /** The bill with a number; `undefined` if there is none. */
  read(count: number): Bill | undefined {
    const symbol = this.symbols[count];
    const businessType = this.businessTypes[count];
    const coin = this.coins[count];
    const at = this.times[count];
    if (symbol === undefined || businessType === undefined) return undefined;
    if (coin === undefined || at === undefined) return undefined;
    const amount = this.amounts.get(count);
    const fee = this.fees.get(count);
    const balance = this.balances.get(count);
    return { count, symbol, amount, fee, businessType, coin, balance, at };
  }

  private put(entry: Entry, coin: string, { count, at }: Stamp): void {
    const { symbol, amount, fee, businessType } = entry;
    this.symbols[count] = symbol;
    this.businessTypes[count] = businessType;
    this.coins[count] = coin;
    this.times[count] = at;
    this.amounts.set(count, amount);
    this.fees.set(count, fee);
  }
}
