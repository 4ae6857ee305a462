/** A changing amount, with a float for approximate reads. */
import type { Money } from '../money.ts';
import { roughly } from './money-column.ts';

export class Tally {
  private exact: Money = 0n;
  private near = 0; // NaN until it is requested again

  get amount(): Money {
    return this.exact;
  }

  set amount(amount: Money) {
    this.exact = amount;
    this.near = NaN;
  }

  /** The approximate amount, with a relative error below 2^-50. */
  get rough(): number {
    if (Number.isNaN(this.near)) this.near = roughly(this.exact);
    return this.near;
  }
}
