/** The risk reserve of one product line and coin: pays for bankrupt accounts, and receives remainders. */
import type { Millis } from '../../../base/clock.ts';
import type { ProductType } from '../../../exchange/api/vocabulary.ts';
import type { Money } from '../money.ts';
import type { LedgerAccount } from './ledger.ts';

export interface ReserveRecord {
  readonly amount: Money;
  readonly balance: Money;
  readonly at: Millis;
}

const recordsKept = 5_000;

export class Reserve {
  readonly productType: ProductType;
  readonly ledger: LedgerAccount;
  private kept: ReserveRecord[] = [];

  constructor(productType: ProductType, ledger: LedgerAccount) {
    this.productType = productType;
    this.ledger = ledger;
  }

  /** Records a change that the ledger has just made. */
  record(amount: Money, at: Millis): void {
    this.kept.push({ amount, balance: this.ledger.balance, at });
    if (this.kept.length >= 2 * recordsKept) this.kept = this.kept.slice(-recordsKept);
  }

  /** The changes of the reserve, oldest first. */
  records(): readonly ReserveRecord[] {
    return this.kept;
  }

  restore(records: readonly ReserveRecord[]): void {
    this.kept = [...records];
  }
}
