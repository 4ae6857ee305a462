/** How a write of effect `keyed` is proved, compared, valued, checked and shown: declared by its operation. */
import type { OrderCategory, TickerCategory } from './vocabulary.ts';

/** Alternatives, of which one is enough: each names fields of a write with the values that meet it. */
export type Conditions<F extends string = string> = readonly {
  readonly [K in F]?: readonly string[];
}[];

/** @typeParam F the fields of the operation's input */
export interface KeyedWrite<F extends string = string> {
  /** The field of the response with the exchange's id of the order. */
  readonly id: string;
  /** The response may lack the id if this field is given with another value than this one. */
  readonly lacksId?: { readonly field: F; readonly unless: string };
  readonly fields: OrderFields<F>;
  /** The product lines of the operation, each with the tickers whose prices value its orders. */
  readonly markets: { readonly [C in OrderCategory]?: TickerCategory };
  /** When an order only closes or reduces a position: the exchange may make it smaller. */
  readonly closes: Conditions<F>;
  /** When `side` names the position, so that the order may execute on either side of the book. */
  readonly namesPosition?: Conditions<F>;
  /** When `size` is an amount of the quote coin. */
  readonly inQuoteCoin?: Conditions<F>;
  /** When an order never rests: what it does not match is cancelled, all of it if it is `whole`. */
  readonly neverRests: readonly { readonly when: Conditions<F>; readonly whole?: true }[];
  readonly lookup: OrderLookup<F>;
  /** Where accounts that are known to be of one family find their orders instead. */
  readonly lookupOf?: { readonly [K in 'classic' | 'unified']?: OrderLookup<F> };
  /** The fields that an order found under the name of a write has in common with it, in this order. */
  readonly compared: readonly Comparison<F>[];
  readonly checked: OrderChecks<F>;
  readonly shown: ShownOrder<F>;
}

/** Fields of a write by their meaning. The price counts only for an order of the type `limit`. */
export interface OrderFields<F extends string = string> {
  /** The product line, or the only one of the operation. */
  readonly line: F | { readonly always: OrderCategory };
  readonly symbol: F;
  readonly side: F;
  readonly size: F;
  readonly price: F;
  /** `limit` or `market`. */
  readonly type: F;
  /** The margin coin. */
  readonly coin?: F;
}

/** Where the outcome of a write is found. */
export interface OrderLookup<F extends string = string> {
  /**
   * A read of one order by the key of the write. An order that it shows was placed; one that it does not show
   * proves nothing, and is searched in the lists until its fence has passed.
   */
  readonly byKey?: OrderRead<F>;
  readonly lists: OrderLists;
  /** When a row shows the opposite side of the write. */
  readonly turnsSide?: Conditions<F>;
  /** The further fields that rows have in common with a write, in addition to `compared`. */
  readonly comparedToo?: readonly Comparison<F>[];
}

/** A read of the one order that a write names. */
export interface OrderRead<F extends string = string> {
  readonly operation: string;
  /** Fields of the read, each with the field of the write that it takes. */
  readonly input: Readonly<Record<string, F>>;
  /** Codes of the answer "no such order". */
  readonly unknown: readonly string[];
  readonly row: OrderRowFields;
  /** The list that is searched for an order that this read does not know. */
  readonly listed?: ListedName<F>;
}

/** Lists, with the fields of a write that select their product line and name the order, by its id or by its key. */
export interface ListedName<F extends string = string> {
  readonly lists: OrderLists;
  readonly line: F;
  readonly id: F;
  readonly key: F;
}

/** The lists that together show each order of a product line: open ones are read first, then closed ones. */
export interface OrderLists {
  /** A name in journals; the lists of the interface have none. */
  readonly name?: string;
  readonly open: OrderList;
  /**
   * The list of closed orders. Its window is on the exchange's clock, and selects by the time of
   * creation.
   */
  readonly closed: OrderList;
}

export interface OrderList {
  readonly operation: string;
  /** The field of the list's request that selects a product line. */
  readonly line: string;
  readonly row: OrderRowFields;
}

/** Fields of a row by their meaning; each must be declared as needed, except `reason`. */
export interface OrderRowFields {
  readonly id: string;
  readonly key: string;
  readonly symbol: string;
  readonly side: string;
  readonly price: string;
  /** The size in the base coin. */
  readonly size: string;
  readonly filled: string;
  readonly created: string;
  /** The reason why the order was cancelled. */
  readonly reason?: string;
  /** Whether the order opens or closes a position. */
  readonly direction?: string;
  readonly status: {
    /** Fields that may have the status; the first one that the row has decides. */
    readonly fields: readonly [string, ...string[]];
    readonly partlyFilled: readonly string[];
    readonly filled: readonly string[];
    readonly cancelled: readonly string[];
    // Every other status, also a new one, is that of an order that may still execute.
  };
}

/** A field that must agree with a row. */
export interface Comparison<F extends string = string> {
  readonly field: F;
  readonly row: 'symbol' | 'side' | 'price' | 'qty' | 'direction';
  /**
   * `word`: ignoring case. `side`: after `turnsSide`. `size`: equal, or smaller if the order `closes`.
   * `price`: equal; a row without one shows none.
   */
  readonly by: 'word' | 'side' | 'size' | 'price';
  /** Compared only then; default: always. */
  readonly when?: Conditions<F>;
  readonly unless?: Conditions<F>;
}

/** The checks before an order is sent. */
export interface OrderChecks<F extends string = string> {
  /** Every field with a price in steps of the symbol. */
  readonly prices: readonly F[];
  /** Fields that contradict each other: one with a value, beside another that is given. */
  readonly contradictions: readonly {
    readonly when: Conditions<F>;
    readonly given: F;
    readonly field: F;
    readonly message: string;
    readonly hint: string;
  }[];
  /** The field that an account in hedge mode needs and one in one-way mode refuses. */
  readonly mode?: {
    readonly field: F;
    /** The refusal of the exchange because of the mode. */
    readonly code: string;
    readonly oneWay: ModeHints;
    readonly hedge: ModeHints;
  };
}

export interface ModeHints {
  /** The advice in a plan. */
  readonly planned: string;
  /** The advice after a refusal. */
  readonly refused: string;
}

/** How an order reads: `BTCUSDT open long 0.010 @ 61,500.0, gtc, crossed`. */
export interface ShownOrder<F extends string = string> {
  /** The words between symbol and size, joined with spaces. */
  readonly direction: readonly ShownWords<F>[];
  /** The terms after the price. A field of none of these is shown with its name. */
  readonly terms: readonly ShownTerm<F>[];
  /** The currency of the displayed notional, by product line; default: the value of the coin field. */
  readonly currency?: { readonly [C in OrderCategory]?: string };
}

export interface ShownWords<F extends string = string> {
  /** Fields whose values are joined with spaces. */
  readonly of: readonly F[];
  /** The words for some values; others are shown unchanged. */
  readonly as?: Readonly<Record<string, string>>;
  /** Shown only if this field is given, or absent. */
  readonly given?: F;
  readonly absent?: F;
}

export type ShownTerm<F extends string = string> =
  /** The value alone. */
  | { readonly kind: 'value'; readonly field: F }
  /** A name and the value, unless it is the default. */
  | {
      readonly kind: 'named';
      readonly field: F;
      readonly name: string;
      readonly initially?: string;
    }
  /** Words for one value; another is shown with the name of the field, unless it is the default. */
  | {
      readonly kind: 'flag';
      readonly field: F;
      readonly value: string;
      readonly words: string;
      readonly initially: string;
    }
  /** A price that triggers an order, and its execution price. */
  | { readonly kind: 'trigger'; readonly name: string; readonly price: F; readonly executed: F }
  /** The product line and its coin, unless they are the usual ones. */
  | { readonly kind: 'line' };
