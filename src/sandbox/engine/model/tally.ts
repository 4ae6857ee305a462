/** An amount that changes, and the same as a float for whoever only looks roughly. */
import type { Money } from '../money.ts';
import { roughly } from './money-column.ts';

export class Tally {
  private exact: Money = 0n;
  private near = 0; // NaN until someone asks again

  get amount(): Money {
    return this.exact;
  }

  set amount(amount: Money) {
    this.exact = amount;
    this.near = NaN;
  }

  /** The amount, nearly: less than 2^-50 of it is lost. */
  get rough(): number {
    if (Number.isNaN(this.near)) this.near = roughly(this.exact);
    return this.near;
  }
}
