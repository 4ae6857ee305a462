/** Defines the entry for order visibility in an account's lists. */
import type { Millis } from '../../base/clock.ts';
import {
  choice,
  optional,
  record,
  text,
  type Infer,
  type Schema,
} from '../../exchange/api/schema.ts';
import { millis } from './shared-schema.ts';

const time: Schema<Millis> = millis('The exchange’s time of the lookup');

export const visibilityFields = {
  account: text({ description: 'The account, as its lock is named' }),
  /**
   * The product line of the order: the lists show each line separately, so the lookup proves nothing
   * about others, or about other lists.
   */
  line: optional(text({ description: 'Product line of the order; older journals omit it' })),
  profile: text(),
  orders: choice(['listed', 'unlisted', 'unknown']),
  /** The order that was searched, and the run that placed it: this run or an earlier one. */
  order: record(
    { run: text(), address: text(), clientOid: text(), orderId: optional(text()) },
    { description: 'The order of the lookup' },
  ),
  time,
  /** The lists that were searched without result, or why they could not be searched. */
  because: optional(text()),
};

const visibility = record(visibilityFields);

/**
 * A visibility as recorded: version 0.1 had no product type, and its entries apply to the type of their
 * order.
 */
export type RecordedVisibility = Infer<typeof visibility>;

/** Whether the lists of an account show orders of a product type, determined by looking one up. */
export type Visibility = RecordedVisibility & Required<Pick<RecordedVisibility, 'line'>>;

/** The lookups that a run recorded, without its other entries. */
export interface VisibilityFacts {
  /** The visibilities that the lookups proved. */
  readonly found: readonly Visibility[];
  /** The lists that the lookups were about; older journals omit the line. */
  readonly news: readonly Pick<RecordedVisibility, 'account' | 'line' | 'orders'>[];
}
