/** What an entry says of the lists of an account. */
import type { Millis } from '../base/clock.ts';
import { choice, optional, record, text, type Infer, type Schema } from '../api/schema.ts';
import { futuresProductTypes } from '../api/vocabulary.ts';

const time: Schema<Millis> = {
  json: { type: 'number', description: 'The exchange’s time of the lookup' },
};

export const visibilityFields = {
  account: text({ description: 'The account, as its lock is named' }),
  /** Orders of other product types are listed apart: it says nothing about them. */
  line: optional(
    choice(futuresProductTypes, {
      description: 'Product line of the order; older journals omit it',
    }),
  ),
  profile: text(),
  orders: choice(['listed', 'unlisted', 'unknown']),
  /** The run that placed it is this one or an earlier one. */
  order: record(
    { run: text(), address: text(), clientOid: text(), orderId: optional(text()) },
    { description: 'The order of the lookup' },
  ),
  time,
  /** Where it was searched in vain, or why it could not be. */
  because: optional(text()),
};

const visibility = record(visibilityFields);

/** As recorded: version 0.1 named no product type, and its entries hold for that of their order. */
export type RecordedVisibility = Infer<typeof visibility>;

/** Whether the lists of an account show orders of a product type: learned by looking one order up. */
export type Visibility = RecordedVisibility & Required<Pick<RecordedVisibility, 'line'>>;
