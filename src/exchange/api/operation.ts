/** The definition of an operation of the exchange: everything that client and sandbox need. */
import type { Millis } from '../../base/clock.ts';
import type { KeyedWrite, OrderRead } from './keyed-write.ts';
import type { Schema } from './schema.ts';
import type { StateReading } from './state-reading.ts';

/**
 * The effect of a repetition. `read`: none. `set`: the same state again. `keyed`: a duplicate
 * unless the key is looked up first. `once`: a duplicate that cannot be detected.
 */
export type Effect = 'read' | 'set' | 'keyed' | 'once';

/** At most `permits` requests in any sliding `per`, counted per user id or IP address. */
export interface Limit {
  readonly permits: number;
  readonly per: Millis;
  readonly of: 'uid' | 'ip';
}

export type Permission = 'account-read' | 'account-write' | 'trade-read' | 'trade-write' | 'agent';

/**
 * The allowed time range of a query. Bounds are inclusive. How the exchange completes a missing
 * bound matters to a single request only: a read of all pages sends both (`timeRangeOf`).
 */
export interface Window {
  readonly start: 'startTime';
  readonly end: 'endTime';
  /** The field of a row that the bounds apply to. */
  readonly time: string;
  /** A second time field that also selects rows: such a row is in the responses of two windows. */
  readonly alsoBy?: string;
  /** Longest distance between start and end. */
  readonly span: Millis;
  /** The time for which data is kept; absent if the interface sets no limit. */
  readonly lookBack?: Millis;
  /** The exchange's interpretation of omitted bounds. */
  readonly omitted: 'previous-day-utc8' | 'last-span' | 'everything-kept' | 'refused';
  /**
   * The meaning of a single bound: the other is one span away, or it is an error. A missing start
   * may also be one span before now, whatever the end is.
   */
  readonly oneSided: 'one-span' | 'start-from-now' | 'refused';
}

/**
 * The paging of a list's rows. `rows` and `id` name fields; an absent `rows` means a bare
 * list.
 */
export type Page =
  | ({
      readonly kind: 'cursor';
      /** The field that continues after a full page without a cursor: the smallest id, if it comes last. */
      readonly unnamed?: 'smallest-id';
    } & PageFields)
  | ({
      readonly kind: 'older-than';
      /** The field with the id that continues; absent if the response has none. */
      readonly answer?: 'endId';
      /** Whether the interface documents that ids fall from row to row. */
      readonly fallsById?: true;
    } & PageFields)
  | ({ readonly kind: 'number'; readonly parameter: 'pageNo' } & Omit<PageFields, 'parameter'>);

interface PageFields {
  /** The request field that selects a later page. */
  readonly parameter: 'cursor' | 'idLessThan';
  readonly size: {
    readonly field: 'limit' | 'pageSize';
    readonly initial: number;
    readonly maximum: number;
  };
  readonly rows?: 'list' | 'bills' | 'entrustedList';
  /** Fields that together distinguish one row from another. */
  readonly id: readonly string[];
}

/**
 * `require` must be present when every field of `when` has one of its listed values, unless `orElse` is
 * present.
 */
export interface RequiredWhen {
  readonly when: Readonly<Record<string, readonly string[]>>;
  readonly require: string;
  /** The field that may be given instead. */
  readonly orElse?: string;
  readonly because: string;
}

/**
 * Fields that are accepted and have no effect. A write with one would do something else than
 * intended, so it is refused; in a read it is a warning.
 */
export interface IgnoredFields {
  readonly fields: readonly string[];
  /** Ignored when every field named here has one of its values; always, if neither is given. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  /** Ignored when no field named here has one of its values; `''` represents an omitted field. */
  readonly unless?: Readonly<Record<string, readonly string[]>>;
  readonly level: 'error' | 'warning';
  /** The exchange's behaviour for an ignored field. */
  readonly because: string;
  readonly hint: string;
}

/** The fields of a `set` write: the target that is set, and its value. */
export interface StateFields<F extends string = string> {
  /** Fields that name the target; the last value set for it is its state. */
  readonly target: readonly F[];
  readonly value: F;
  /** The unit that follows the value in texts. */
  readonly unit: string;
  /** How the account shows the state; absent if nothing shows it. */
  readonly shownBy?: StateReading<F>;
}

export interface Operation<I = unknown, O = unknown> {
  /** The number of the operation in the interface, 1 to 18; absent for a companion. */
  readonly number?: number;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  readonly access: 'public' | 'signed';
  readonly permission?: Permission;
  /** Whether only a main account's key may call the operation. */
  readonly isMainOnly?: true;
  readonly limit: Limit;
  /** The tighter limit for copy-trading leaders, if any. */
  readonly leaderLimit?: Limit;
  readonly effect: Effect;
  /** The input field that identifies a keyed write permanently. */
  readonly key?: string;
  /** How a keyed write is proved, valued and shown. */
  readonly keyed?: KeyedWrite;
  /** The input field that the exchange keeps unique: a second write with the same value is refused. */
  readonly uniqueBy?: string;
  /** The state that a `set` write changes. */
  readonly sets?: StateFields;
  /**
   * The order that a `set` write ends. An accepted request proves nothing: it is done when this read shows
   * the order ended, and its result is the order.
   */
  readonly ends?: OrderRead;
  readonly window?: Window;
  readonly page?: Page;
  /** The field with the rows of an unpaged list, or '' for the response itself. */
  readonly rows?: string;
  /** Fields that together distinguish one row of an unpaged list from another. */
  readonly id?: readonly string[];
  readonly requiredWhen?: readonly RequiredWhen[];
  readonly ignored?: readonly IgnoredFields[];
  readonly input: Schema<I>;
  readonly output: Schema<O>;
  /** Open points of the interface, and our choices. */
  readonly doubts: readonly string[];
}

/** Keeps the inferred input and output types of an operation literal. */
export function operation<I, O>(
  value: Operation<I, O> & {
    readonly key?: keyof I & string;
    readonly keyed?: KeyedWrite<keyof I & string>;
    readonly uniqueBy?: keyof I & string;
    readonly ends?: OrderRead<keyof I & string>;
    readonly sets?: StateFields<keyof I & string>;
  },
): Operation<I, O> {
  return value;
}
