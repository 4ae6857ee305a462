/** What an entry says of the lists of an account: the value, and its shape. */
import type { Millis } from '../base/clock.ts';
import { choice, optional, record, text, type Schema } from '../api/schema.ts';
import { futuresProductTypes, type ProductType } from '../api/vocabulary.ts';

/** Whether the lists of an account show what is placed on a product type: learned by looking one order up. */
export interface Visibility {
  /** The account, as its lock is named. */
  readonly account: string;
  /** Orders of other lines are listed apart: of them it gives no reason. */
  readonly line: ProductType;
  readonly profile: string;
  readonly orders: 'listed' | 'unlisted' | 'unknown';
  /** The order of the lookup, and the run that placed it: this one or an earlier one. */
  readonly order: {
    readonly run: string;
    /** A step, or one item of a for-each step. */
    readonly address: string;
    readonly clientOid: string;
    readonly orderId?: string;
  };
  /** The exchange's clock when it was learned. */
  readonly time: Millis;
  /** What was looked at in vain, or why nothing could be. */
  readonly because?: string;
}

/** As recorded: version 0.1 named no product type, and its entries hold for the product type of their order. */
export type RecordedVisibility = Omit<Visibility, 'line'> & Partial<Pick<Visibility, 'line'>>;

const time: Schema<Millis> = {
  json: { type: 'number', description: 'The exchange’s time of the lookup' },
};

export const visibilityFields = {
  account: text({ description: 'The account, as its lock is named' }),
  line: optional(
    choice(futuresProductTypes, {
      description: 'Product line of the order; older journals omit it',
    }),
  ),
  profile: text(),
  orders: choice(['listed', 'unlisted', 'unknown']),
  order: record(
    { run: text(), address: text(), clientOid: text(), orderId: optional(text()) },
    { description: 'The order of the lookup' },
  ),
  time,
  because: optional(text()),
};
