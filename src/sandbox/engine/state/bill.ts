/** A bill: the user's side of a movement of money, with the balance after it. */
import type { Millis } from '../../../base/clock.ts';
import type { BusinessType } from '../command.ts';
import type { Money } from '../money.ts';

export interface Bill {
  readonly count: number;
  readonly symbol: string;
  readonly amount: Money;
  /** Negative or nothing. */
  readonly fee: Money;
  readonly businessType: BusinessType;
  readonly coin: string;
  readonly balance: Money;
  readonly at: Millis;
}
