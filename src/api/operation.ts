/** What an operation of the exchange is: everything both halves of the product need to know of it. */
import type { Millis } from '../base/clock.ts';
import type { Schema } from './schema.ts';

/**
 * What repeating does. `read`: nothing. `set`: the same state again. `keyed`: a double unless the
 * key is looked up first. `once`: a double, and nothing can tell.
 */
export type Effect = 'read' | 'set' | 'keyed' | 'once';

/** At most `permits` requests in any sliding `per`, counted for one user id or one IP address. */
export interface Limit {
  readonly permits: number;
  readonly per: Millis;
  readonly of: 'uid' | 'ip';
}

export type Permission = 'account-read' | 'account-write' | 'trade-read' | 'trade-write' | 'agent';

/** How far a query by time may reach. Bounds are inclusive. */
export interface Window {
  readonly start: 'startTime';
  readonly end: 'endTime';
  /** The field of a row that is within the bounds. */
  readonly time: string;
  /** Another field by which a row is found as well: it then is in the answers of two windows. */
  readonly alsoBy?: string;
  /** Longest distance between start and end. */
  readonly span: Millis;
  /** How far back from now data is kept; absent where the interface sets no bound. */
  readonly lookBack?: Millis;
  /** What represents omitted bounds. */
  readonly omitted: 'previous-day-utc8' | 'last-span' | 'everything-kept' | 'refused';
  /**
   * What one bound alone means: the other lies one span away, or it is an error. A missing start
   * may also lie one span before now, wherever the end is.
   */
  readonly oneSided: 'one-span' | 'start-from-now' | 'refused';
}

/** How the rows of a list are walked. `rows` and `id` name fields; an absent `rows` is a bare list. */
export type Page =
  | ({
      readonly kind: 'cursor';
      /** What continues from a full page that names no cursor: its smallest id, if it is last. */
      readonly unnamed?: 'smallest-id';
    } & PageFields)
  | ({ readonly kind: 'older-than'; readonly answer?: 'endId' } & PageFields)
  | ({ readonly kind: 'number'; readonly parameter: 'pageNo' } & Omit<PageFields, 'parameter'>);

interface PageFields {
  /** The request field that asks for a later page. */
  readonly parameter: 'cursor' | 'idLessThan';
  readonly size: {
    readonly field: 'limit' | 'pageSize';
    readonly initial: number;
    readonly maximum: number;
  };
  readonly rows?: 'list' | 'bills';
  /** Fields that together distinguish one row from another. */
  readonly id: readonly string[];
}

/** `require` must be present when every field of `when` has one of the values listed for it. */
export interface RequiredWhen {
  readonly when: Readonly<Record<string, readonly string[]>>;
  readonly require: string;
  readonly because: string;
}

/**
 * Fields that are accepted and change nothing. A write that depends on one does something else than it
 * says, so that it is refused; elsewhere it is a warning.
 */
export interface IgnoredFields {
  readonly fields: readonly string[];
  /** Ignored when every field named here has one of its values; always, where neither is given. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  /** Ignored when no field named here has one of its values; `''` represents an omitted field. */
  readonly unless?: Readonly<Record<string, readonly string[]>>;
  readonly level: 'error' | 'warning';
  /** What the exchange does instead. */
  readonly because: string;
  readonly hint: string;
}

export interface Operation<I = unknown, O = unknown> {
  /** Its number in the interface, 1 to 18. */
  readonly number: number;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  readonly access: 'public' | 'signed';
  readonly permission?: Permission;
  /** Only a main account's key may call it. */
  readonly isMainOnly?: true;
  readonly limit: Limit;
  /** The tighter limit of copy-trading leaders, where there is one. */
  readonly leaderLimit?: Limit;
  readonly effect: Effect;
  /** The input field that names a keyed write permanently. */
  readonly key?: string;
  readonly window?: Window;
  readonly page?: Page;
  /** Where rows are in the answer of an unpaged list: a field, or '' for the answer itself. */
  readonly rows?: string;
  /** Fields that together distinguish one row of an unpaged list from another. */
  readonly id?: readonly string[];
  readonly requiredWhen?: readonly RequiredWhen[];
  readonly ignored?: readonly IgnoredFields[];
  readonly input: Schema<I>;
  readonly output: Schema<O>;
  /** What the interface leaves open, and how we took it. */
  readonly doubts: readonly string[];
}

/** Keeps the inferred input and output types of an operation written as a literal. */
export function operation<I, O>(
  value: Operation<I, O> & { readonly key?: keyof I & string },
): Operation<I, O> {
  return value;
}
