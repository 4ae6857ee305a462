import { inspect } from "node:util";
import { Big } from "big.js";
type Json = string | number | boolean | null | readonly Json[] | JsonRecord;
type JsonRecord = {
  readonly [key: string]: Json;
};
type JsonSchema = JsonRecord;
/** A JSON Schema of values of type `T`; the type exists only at compile time. */
interface Schema<out T> {
  readonly json: JsonSchema;
  readonly infer?: T;
}
type Infer<S> = S extends Schema<infer T> ? T : never;
/** Milliseconds: a duration, or a time since 1970 (UTC). */
type Millis = number;
interface Clock {
  /** Wall time, Unix milliseconds; may jump. */
  now(): Millis;
  /** Monotonic time with fractions; never goes back, and its zero is arbitrary. */
  monotonic(): Millis;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: Millis, signal?: AbortSignal): Promise<void>;
}
declare const systemClock: Clock;
/** A clock that moves only on request; sleeping on it moves it. */
interface StandingClock extends Clock {
  advance(ms: Millis): void;
}
/**
 * A clock for tests and rehearsals: a sleep ends immediately and advances the time by its duration.
 */
declare function standingClock(start: Millis): StandingClock;
/** Errors that name who can fix them: one base class, with an exit code and a hint. */
/** Who can fix an error; `ours` means a bug in deskhand. */
type Actor = 'author' | 'reviewer' | 'operator' | 'exchange' | 'ours';
/**
 * Exit codes of the command line; scripts depend on them, so their meaning never changes.
 * @see docs/commands.md
 */
declare const exits: {
  readonly done: 0;
  readonly stopped: 1;
  readonly usage: 2;
  readonly invalid: 3;
  readonly credentials: 4;
  readonly heldBack: 5;
  readonly inDoubt: 6;
  readonly changes: 10;
  readonly interrupted: 130;
  readonly terminated: 143;
};
type ExitCode = (typeof exits)[keyof typeof exits];
/** One of several reasons of an error. */
interface ErrorReason {
  readonly message: string;
  readonly hint?: string;
  /** The id of the rule: `PB203`. */
  readonly code?: string;
  readonly level?: 'error' | 'warning';
  /** The file that the reason is about, as a path; `line` and `column` start at 1. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}
interface ErrorDetails {
  /** Stable name, as in `deskhand explain NAME`. */
  readonly code: string;
  readonly actor: Actor;
  readonly exit: ExitCode;
  /** The remedy for the error, in one sentence. */
  readonly hint?: string;
  /** The reasons of an error that counts several. */
  readonly reasons?: readonly ErrorReason[];
  readonly cause?: unknown;
}
/** An error for a person: the message says what happened, the hint what to do. */
declare class DeskhandError extends Error {
  readonly code: string;
  readonly actor: Actor;
  readonly exit: ExitCode;
  readonly hint: string | undefined;
  readonly reasons: readonly ErrorReason[] | undefined;
  constructor(message: string, details: ErrorDetails);
}
/**
 * `auth` key, signature, passphrase, address · `permission` of the key · `family` key of the other
 * account family · `clock` timestamp refused · `limit` too many requests · `validation` a parameter
 * · `state` of the account or market · `funds` insufficient · `duplicate` this clientOid already
 * exists · `exists` this name already exists · `not-found` · `busy` temporarily · `ambiguous` it
 * may have been executed.
 */
type ErrorClass = 'auth' | 'permission' | 'family' | 'clock' | 'limit' | 'validation' | 'state' | 'funds' | 'duplicate' | 'exists' | 'not-found' | 'busy' | 'ambiguous';
/** The source of a code: official documents, issue threads, or our own choice. */
type Provenance = 'doc' | 'issue' | 'choice';
interface ErrorRow {
  readonly code: string;
  readonly class: ErrorClass;
  readonly meaning: string;
  readonly provenance: Provenance;
}
declare const successCode = "00000";
/** The table of response codes, by code. */
declare const errorTable: ReadonlyMap<string, ErrorRow>;
/** The class of a code; an unknown code is ambiguous. */
declare function classOf(code: string): ErrorClass;
/**
 * The verdict of a response class about a request: `refused` permanently, `not-executed` and may
 * be sent again, or `unknown`. For a write, `not-executed` is accepted only if it may be sent again
 * after a doubt, or for a rate limit if the lists agree; everything else is a doubt.
 */
declare function verdictOf(kind: ErrorClass): 'refused' | 'not-executed' | 'unknown';
/** The kind of value received in place of the declared one. `text`: a text in another format. */
type Came = (typeof cameKinds)[number];
declare const cameKinds: readonly ['absent', 'null', 'empty', 'text', 'number', 'boolean', 'list', 'object', 'undeclared'];
/** A difference between a response and the interface. */
interface Deviation {
  /** The field, with [] for each position: `list[].createdTime`; `data` for the data itself. */
  readonly field: string;
  readonly came: Came;
  /** The number of times that the deviation is in the response. */
  readonly count: number;
}
declare const orderCategories: readonly ["SPOT", "MARGIN", "USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"];
declare const tickerCategories: readonly ["SPOT", "USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"];
type OrderCategory = (typeof orderCategories)[number];
type TickerCategory = (typeof tickerCategories)[number];
/** Alternatives, of which one is enough: each names fields of a write with the values that meet it. */
type Conditions<F extends string = string> = readonly { readonly [K in F]?: readonly string[] }[];
/** @typeParam F the fields of the operation's input */
interface KeyedWrite<F extends string = string> {
  /** The field of the response with the exchange's id of the order. */
  readonly id: string;
  /** The response may lack the id if this field is given with another value than this one. */
  readonly lacksId?: {
    readonly field: F;
    readonly unless: string;
  };
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
  readonly neverRests: readonly {
    readonly when: Conditions<F>;
    readonly whole?: true;
  }[];
  readonly lookup: OrderLookup<F>;
  /** Where accounts that are known to be of one family find their orders instead. */
  readonly lookupOf?: { readonly [K in 'classic' | 'unified']?: OrderLookup<F> };
  /** The fields that an order found under the name of a write has in common with it, in this order. */
  readonly compared: readonly Comparison<F>[];
  readonly checked: OrderChecks<F>;
  readonly shown: ShownOrder<F>;
}
/** Fields of a write by their meaning. The price counts only for an order of the type `limit`. */
interface OrderFields<F extends string = string> {
  /** The product line, or the only one of the operation. */
  readonly line: F | {
    readonly always: OrderCategory;
  };
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
interface OrderLookup<F extends string = string> {
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
interface OrderRead<F extends string = string> {
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
interface ListedName<F extends string = string> {
  readonly lists: OrderLists;
  readonly line: F;
  readonly id: F;
  readonly key: F;
}
/** The lists that together show each order of a product line: open ones are read first, then closed ones. */
interface OrderLists {
  /** A name in journals; the lists of the interface have none. */
  readonly name?: string;
  readonly open: OrderList;
  /**
   * The list of closed orders. Its window is on the exchange's clock, and selects by the time of
   * creation.
   */
  readonly closed: OrderList;
}
interface OrderList {
  readonly operation: string;
  /** The field of the list's request that selects a product line. */
  readonly line: string;
  readonly row: OrderRowFields;
}
/** Fields of a row by their meaning; each must be declared as needed, except `reason`. */
interface OrderRowFields {
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
    /** Fields that may have the status; the first one that the row has decides. */readonly fields: readonly [string, ...string[]];
    readonly partlyFilled: readonly string[];
    readonly filled: readonly string[];
    readonly cancelled: readonly string[];
  };
}
/** A field that must agree with a row. */
interface Comparison<F extends string = string> {
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
interface OrderChecks<F extends string = string> {
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
    readonly field: F; /** The refusal of the exchange because of the mode. */
    readonly code: string;
    readonly oneWay: ModeHints;
    readonly hedge: ModeHints;
  };
}
interface ModeHints {
  /** The advice in a plan. */
  readonly planned: string;
  /** The advice after a refusal. */
  readonly refused: string;
}
/** How an order reads: `BTCUSDT open long 0.010 @ 61,500.0, gtc, crossed`. */
interface ShownOrder<F extends string = string> {
  /** The words between symbol and size, joined with spaces. */
  readonly direction: readonly ShownWords<F>[];
  /** The terms after the price. A field of none of these is shown with its name. */
  readonly terms: readonly ShownTerm<F>[];
  /** The currency of the displayed notional, by product line; default: the value of the coin field. */
  readonly currency?: { readonly [C in OrderCategory]?: string };
}
interface ShownWords<F extends string = string> {
  /** Fields whose values are joined with spaces. */
  readonly of: readonly F[];
  /** The words for some values; others are shown unchanged. */
  readonly as?: Readonly<Record<string, string>>;
  /** Shown only if this field is given, or absent. */
  readonly given?: F;
  readonly absent?: F;
}
type ShownTerm<F extends string = string> = /** The value alone. */{
  readonly kind: 'value';
  readonly field: F;
} /** A name and the value, unless it is the default. */ | {
  readonly kind: 'named';
  readonly field: F;
  readonly name: string;
  readonly initially?: string;
} /** Words for one value; another is shown with the name of the field, unless it is the default. */ | {
  readonly kind: 'flag';
  readonly field: F;
  readonly value: string;
  readonly words: string;
  readonly initially: string;
} /** A price that triggers an order, and its execution price. */ | {
  readonly kind: 'trigger';
  readonly name: string;
  readonly price: F;
  readonly executed: F;
} /** The product line and its coin, unless they are the usual ones. */ | {
  readonly kind: 'line';
};
/** How an account shows the state that a write of effect `set` changes: declared by its operation. */
/** @typeParam F the fields of the operation's input */
interface StateReading<F extends string = string> {
  /** The read that shows the state. */
  readonly operation: string;
  /** Fields of the read, each with the field of the write that it takes. */
  readonly input: Readonly<Record<string, F>>;
  /** The field of the response with rows, or '' for the response itself; without it the response is the row. */
  readonly rows?: string;
  /** Fields of a row, each with the field of the write that it must equal, ignoring case; default: all rows. */
  readonly where?: Readonly<Record<string, F>>;
  /** The fields with the value; each field whose conditions are met shows the state. */
  readonly value: readonly ShownValue<F>[];
}
interface ShownValue<F extends string = string> {
  readonly field: string;
  /** Fields of the row that must have one of these values, ignoring case. */
  readonly row?: Readonly<Record<string, readonly string[]>>;
  /** Fields of the write that must have one of these values; `''` represents an omitted field. */
  readonly write?: { readonly [K in F]?: readonly string[] };
}
/**
 * The effect of a repetition. `read`: none. `set`: the same state again. `keyed`: a duplicate
 * unless the key is looked up first. `once`: a duplicate that cannot be detected.
 */
type Effect = 'read' | 'set' | 'keyed' | 'once';
/** At most `permits` requests in any sliding `per`, counted per user id or IP address. */
interface Limit {
  readonly permits: number;
  readonly per: Millis;
  readonly of: 'uid' | 'ip';
}
type Permission = 'account-read' | 'account-write' | 'trade-read' | 'trade-write' | 'agent';
/**
 * The allowed time range of a query. Bounds are inclusive. How the exchange completes a missing
 * bound matters to a single request only: a read of all pages sends both (`timeRangeOf`).
 */
interface Window {
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
type Page = ({
  readonly kind: 'cursor'; /** The field that continues after a full page without a cursor: the smallest id, if it comes last. */
  readonly unnamed?: 'smallest-id';
} & PageFields) | ({
  readonly kind: 'older-than'; /** The field with the id that continues; absent if the response has none. */
  readonly answer?: 'endId'; /** Whether the interface documents that ids fall from row to row. */
  readonly fallsById?: true;
} & PageFields) | ({
  readonly kind: 'number';
  readonly parameter: 'pageNo';
} & Omit<PageFields, 'parameter'>);
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
interface RequiredWhen {
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
interface IgnoredFields {
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
interface StateFields<F extends string = string> {
  /** Fields that name the target; the last value set for it is its state. */
  readonly target: readonly F[];
  readonly value: F;
  /** The unit that follows the value in texts. */
  readonly unit: string;
  /** How the account shows the state; absent if nothing shows it. */
  readonly shownBy?: StateReading<F>;
}
interface Operation<I = unknown, O = unknown> {
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
declare const operations$1: {
  readonly 'futures/get-order': Operation<{
    readonly orderId?: string;
    readonly clientOid?: string;
    readonly symbol: string;
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
  }, {
    readonly symbol: string;
    readonly size: string;
    readonly orderId: string;
    readonly clientOid: string;
    readonly baseVolume: string;
    readonly quoteVolume?: string;
    readonly priceAvg?: string;
    readonly fee?: string;
    readonly price: string;
    readonly side: "buy" | "sell" | (string & {});
    readonly force: "fok" | "gtc" | "ioc" | "post_only" | (string & {});
    readonly totalProfits?: string;
    readonly posSide: "long" | "net" | "short" | (string & {});
    readonly marginCoin: string;
    readonly presetStopSurplusPrice?: string;
    readonly presetStopSurplusExecutePrice?: string;
    readonly presetStopSurplusType?: string;
    readonly presetStopLossPrice?: string;
    readonly presetStopLossExecutePrice?: string;
    readonly presetStopLossType?: string;
    readonly orderType: "limit" | "market" | (string & {});
    readonly leverage: string;
    readonly marginMode: "crossed" | "isolated" | (string & {});
    readonly reduceOnly: "NO" | "YES" | (string & {});
    readonly enterPointSource?: string;
    readonly tradeSide: "buy_single" | "close" | "open" | "sell_single" | (string & {});
    readonly posMode: "hedge_mode" | "one_way_mode" | (string & {});
    readonly orderSource?: string;
    readonly cancelReason?: string;
    readonly cTime: string;
    readonly uTime: string;
    readonly state?: "canceled" | "filled" | "live" | "partially_filled" | (string & {});
    readonly status?: "canceled" | "filled" | "live" | "partially_filled" | (string & {});
  }>;
  readonly 'futures/list-open-orders': Operation<{
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly symbol?: string;
    readonly orderId?: string;
    readonly clientOid?: string;
    readonly status?: "live" | "partially_filled";
    readonly idLessThan?: string;
    readonly startTime?: string;
    readonly endTime?: string;
    readonly limit?: string;
  }, {
    readonly entrustedList: readonly {
      readonly symbol: string;
      readonly size: string;
      readonly orderId: string;
      readonly clientOid: string;
      readonly baseVolume: string;
      readonly quoteVolume?: string;
      readonly priceAvg?: string;
      readonly fee?: string;
      readonly price: string;
      readonly side: "buy" | "sell" | (string & {});
      readonly force: "fok" | "gtc" | "ioc" | "post_only" | (string & {});
      readonly totalProfits?: string;
      readonly posSide: "long" | "net" | "short" | (string & {});
      readonly marginCoin: string;
      readonly presetStopSurplusPrice?: string;
      readonly presetStopSurplusExecutePrice?: string;
      readonly presetStopSurplusType?: string;
      readonly presetStopLossPrice?: string;
      readonly presetStopLossExecutePrice?: string;
      readonly presetStopLossType?: string;
      readonly orderType: "limit" | "market" | (string & {});
      readonly leverage: string;
      readonly marginMode: "crossed" | "isolated" | (string & {});
      readonly reduceOnly: "NO" | "YES" | (string & {});
      readonly enterPointSource?: string;
      readonly tradeSide: "buy_single" | "close" | "open" | "sell_single" | (string & {});
      readonly posMode: "hedge_mode" | "one_way_mode" | (string & {});
      readonly orderSource?: string;
      readonly cancelReason?: string;
      readonly cTime: string;
      readonly uTime: string;
      readonly status: "canceled" | "filled" | "live" | "partially_filled" | (string & {});
    }[];
    readonly endId?: string;
  }>;
  readonly 'futures/list-closed-orders': Operation<{
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly symbol?: string;
    readonly orderId?: string;
    readonly clientOid?: string;
    readonly orderSource?: string;
    readonly idLessThan?: string;
    readonly startTime?: string;
    readonly endTime?: string;
    readonly limit?: string;
  }, {
    readonly entrustedList: readonly {
      readonly symbol: string;
      readonly size: string;
      readonly orderId: string;
      readonly clientOid: string;
      readonly baseVolume: string;
      readonly quoteVolume?: string;
      readonly priceAvg?: string;
      readonly fee?: string;
      readonly price: string;
      readonly side: "buy" | "sell" | (string & {});
      readonly force: "fok" | "gtc" | "ioc" | "post_only" | (string & {});
      readonly totalProfits?: string;
      readonly posSide: "long" | "net" | "short" | (string & {});
      readonly marginCoin: string;
      readonly presetStopSurplusPrice?: string;
      readonly presetStopSurplusExecutePrice?: string;
      readonly presetStopSurplusType?: string;
      readonly presetStopLossPrice?: string;
      readonly presetStopLossExecutePrice?: string;
      readonly presetStopLossType?: string;
      readonly orderType: "limit" | "market" | (string & {});
      readonly leverage: string;
      readonly marginMode: "crossed" | "isolated" | (string & {});
      readonly reduceOnly: "NO" | "YES" | (string & {});
      readonly enterPointSource?: string;
      readonly tradeSide: "buy_single" | "close" | "open" | "sell_single" | (string & {});
      readonly posMode: "hedge_mode" | "one_way_mode" | (string & {});
      readonly orderSource?: string;
      readonly cancelReason?: string;
      readonly cTime: string;
      readonly uTime: string;
      readonly status: "canceled" | "filled" | "live" | "partially_filled" | (string & {});
      readonly posAvg?: string;
    }[];
    readonly endId?: string;
  }>;
  readonly 'futures/cancel-order': Operation<{
    readonly orderId?: string;
    readonly clientOid?: string;
    readonly symbol: string;
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly marginCoin?: string;
  }, {
    readonly orderId?: string;
    readonly clientOid?: string;
  }>;
  readonly 'futures/list-positions': Operation<{
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly marginCoin?: string;
  }, readonly {
    readonly marginCoin: string;
    readonly symbol: string;
    readonly holdSide: "long" | "short" | (string & {});
    readonly openDelegateSize?: string;
    readonly marginSize?: string;
    readonly available?: string;
    readonly locked?: string;
    readonly total: string;
    readonly leverage: string;
    readonly achievedProfits?: string;
    readonly openPriceAvg?: string;
    readonly marginMode: "crossed" | "isolated" | (string & {});
    readonly posMode: "hedge_mode" | "one_way_mode" | (string & {});
    readonly unrealizedPL?: string;
    readonly liquidationPrice?: string;
    readonly keepMarginRate?: string;
    readonly markPrice?: string;
    readonly breakEvenPrice?: string;
    readonly totalFee?: string;
    readonly deductedFee?: string;
    readonly takeProfit?: string;
    readonly stopLoss?: string;
    readonly takeProfitId?: string;
    readonly stopLossId?: string;
    readonly marginRatio?: string;
    readonly assetMode?: string;
    readonly cTime?: string;
    readonly uTime?: string;
  }[]>;
  readonly 'futures/get-account': Operation<{
    readonly symbol: string;
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly marginCoin: string;
  }, {
    readonly marginCoin: string;
    readonly locked?: string;
    readonly available?: string;
    readonly crossedMaxAvailable?: string;
    readonly isolatedMaxAvailable?: string;
    readonly maxTransferOut?: string;
    readonly accountEquity?: string;
    readonly usdtEquity?: string;
    readonly btcEquity?: string;
    readonly crossedRiskRate?: string;
    readonly crossedMarginLeverage: string;
    readonly isolatedLongLever: string;
    readonly isolatedShortLever: string;
    readonly marginMode: "crossed" | "isolated" | (string & {});
    readonly posMode: "hedge_mode" | "one_way_mode" | (string & {});
    readonly unrealizedPL?: string;
    readonly coupon?: string;
    readonly crossedUnrealizedPL?: string;
    readonly isolatedUnrealizedPL?: string;
    readonly assetMode?: string;
  }>;
  readonly 'futures/set-leverage': Operation<{
    readonly symbol: string;
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly marginCoin: string;
    readonly leverage: string;
    readonly holdSide?: "long" | "short";
  }, {
    readonly symbol: string;
    readonly marginCoin: string;
    readonly longLeverage?: string;
    readonly shortLeverage?: string;
    readonly crossMarginLeverage?: string;
    readonly marginMode: string;
  }>;
  readonly 'trade/place-order': Operation<{
    readonly category: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly symbol: string;
    readonly qty: string;
    readonly price?: string;
    readonly side: "buy" | "sell";
    readonly orderType: "limit" | "market";
    readonly timeInForce?: "fok" | "gtc" | "ioc" | "post_only";
    readonly posSide?: "long" | "short";
    readonly clientOid?: string;
    readonly reduceOnly?: "no" | "yes";
    readonly stpMode?: "cancel_both" | "cancel_maker" | "cancel_taker" | "none";
    readonly takeProfit?: string;
    readonly stopLoss?: string;
    readonly tpTriggerBy?: "mark" | "market";
    readonly slTriggerBy?: "mark" | "market";
    readonly tpOrderType?: "limit" | "market";
    readonly slOrderType?: "limit" | "market";
    readonly tpLimitPrice?: string;
    readonly slLimitPrice?: string;
  }, {
    readonly orderId?: string;
    readonly clientOid: string;
  }>;
  readonly 'trade/get-order': Operation<{
    readonly orderId?: string;
    readonly clientOid?: string;
  }, {
    readonly orderId: string;
    readonly clientOid: string;
    readonly category: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES" | (string & {});
    readonly symbol: string;
    readonly orderType: "limit" | "market" | (string & {});
    readonly side: "buy" | "sell" | (string & {});
    readonly price: string;
    readonly qty: string;
    readonly amount: string;
    readonly cumExecQty: string;
    readonly cumExecValue: string;
    readonly avgPrice: string;
    readonly timeInForce: "fok" | "gtc" | "ioc" | "post_only" | (string & {});
    readonly orderStatus: "cancelled" | "filled" | "live" | "new" | "partially_filled" | (string & {});
    readonly posSide: "" | "long" | "short" | (string & {});
    readonly holdMode: "hedge_mode" | "one_way_mode" | (string & {});
    readonly stpMode?: "cancel_both" | "cancel_maker" | "cancel_taker" | "none" | (string & {});
    readonly reduceOnly: "NO" | "YES" | (string & {});
    readonly feeDetail?: readonly {
      readonly feeCoin: string | null;
      readonly fee: string | null;
    }[] | null;
    readonly createdTime: string;
    readonly updatedTime: string;
    readonly tradeSide?: "" | "close" | "open" | (string & {});
    readonly cancelReason?: "" | "normal_cancel" | (string & {});
    readonly execType?: "delivery" | "liquidation" | "normal" | "offset" | "reduce" | (string & {});
  }>;
  readonly 'trade/cancel-order': Operation<{
    readonly orderId?: string;
    readonly clientOid?: string;
    readonly category?: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES";
  }, {
    readonly orderId?: string;
    readonly clientOid?: string;
  }>;
  readonly 'trade/list-positions': Operation<{
    readonly category: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly symbol?: string;
    readonly posSide?: "long" | "short";
  }, {
    readonly list: readonly {
      readonly category: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES" | (string & {});
      readonly symbol: string;
      readonly marginCoin: string;
      readonly holdMode: "hedge_mode" | "one_way_mode" | (string & {});
      readonly posSide: "long" | "short" | (string & {});
      readonly marginMode: "crossed" | "isolated" | (string & {});
      readonly positionBalance?: string;
      readonly available?: string;
      readonly frozen?: string;
      readonly total: string;
      readonly leverage: string;
      readonly curRealisedPnl?: string;
      readonly avgPrice?: string;
      readonly positionStatus?: string;
      readonly unrealisedPnl?: string;
      readonly liquidationPrice?: string;
      readonly mmr?: string;
      readonly profitRate?: string;
      readonly markPrice?: string;
      readonly breakEvenPrice?: string;
      readonly totalFunding?: string;
      readonly openFeeTotal?: string;
      readonly closeFeeTotal?: string;
      readonly createdTime?: string;
      readonly updatedTime?: string;
    }[];
  }>;
  readonly 'account/get-settings': Operation<{}, {
    readonly uid: string;
    readonly accountMode: "classic" | "unified" | (string & {});
    readonly assetMode: "single" | "union" | (string & {});
    readonly holdMode: "hedge_mode" | "one_way_mode" | (string & {});
    readonly stpMode: string;
    readonly symbolConfigList: readonly {
      readonly category: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES" | (string & {});
      readonly symbol: string;
      readonly marginMode: "crossed" | "isolated" | (string & {});
      readonly leverage: string;
    }[];
    readonly coinConfigList: readonly {
      readonly coin: string;
      readonly leverage: string;
    }[];
  }>;
  readonly 'account/set-leverage': Operation<{
    readonly category: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly leverage: string;
    readonly symbol?: string;
    readonly coin?: string;
    readonly posSide?: "long" | "short";
  }, "success" | (string & {})>;
  readonly 'loan/list-symbols': Operation<{
    readonly productId: string;
  }, {
    readonly productId: string;
    readonly spotSymbols: readonly string[];
    readonly marginLeverage?: string;
    readonly usdtContractLeverage: string;
    readonly coinContractLeverage: string;
    readonly usdcContractLeverage: string;
    readonly usdtContractSymbols: readonly {
      readonly symbol: string;
      readonly leverage: string;
    }[];
    readonly coinContractSymbols: readonly {
      readonly symbol: string;
      readonly leverage: string | readonly string[];
    }[];
    readonly usdcContractSymbols: readonly {
      readonly symbol: string;
      readonly leverage: string;
    }[];
  }>;
  readonly 'order/list-open': Operation<{
    readonly category?: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly symbol?: string;
    readonly startTime?: string;
    readonly endTime?: string;
    readonly limit?: string;
    readonly cursor?: string;
  }, {
    readonly list: readonly {
      readonly orderId: string;
      readonly clientOid: string;
      readonly category: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES" | (string & {});
      readonly symbol: string;
      readonly orderType: "limit" | "market" | (string & {});
      readonly side: "buy" | "sell" | (string & {});
      readonly price: string;
      readonly qty: string;
      readonly amount: string;
      readonly cumExecQty: string;
      readonly cumExecValue: string;
      readonly avgPrice: string;
      readonly timeInForce: "fok" | "gtc" | "ioc" | "post_only" | (string & {});
      readonly orderStatus: "cancelled" | "filled" | "live" | "new" | "partially_filled" | (string & {});
      readonly posSide: "" | "long" | "short" | (string & {});
      readonly holdMode: "hedge_mode" | "one_way_mode" | (string & {});
      readonly stpMode?: "cancel_both" | "cancel_maker" | "cancel_taker" | "none" | (string & {});
      readonly reduceOnly: "NO" | "YES" | (string & {});
      readonly feeDetail?: readonly {
        readonly feeCoin: string | null;
        readonly fee: string | null;
      }[] | null;
      readonly createdTime: string;
      readonly updatedTime: string;
    }[];
    readonly cursor: string;
  }>;
  readonly 'order/list-history': Operation<{
    readonly category?: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly symbol?: string;
    readonly startTime?: string;
    readonly endTime?: string;
    readonly limit?: string;
    readonly cursor?: string;
  }, {
    readonly list: readonly {
      readonly orderId: string;
      readonly clientOid: string;
      readonly category: "COIN-FUTURES" | "MARGIN" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES" | (string & {});
      readonly symbol: string;
      readonly orderType: "limit" | "market" | (string & {});
      readonly side: "buy" | "sell" | (string & {});
      readonly price: string;
      readonly qty: string;
      readonly amount: string;
      readonly cumExecQty: string;
      readonly cumExecValue: string;
      readonly avgPrice: string;
      readonly timeInForce: "fok" | "gtc" | "ioc" | "post_only" | (string & {});
      readonly orderStatus: "cancelled" | "filled" | "live" | "new" | "partially_filled" | (string & {});
      readonly posSide: "" | "long" | "short" | (string & {});
      readonly holdMode: "hedge_mode" | "one_way_mode" | (string & {});
      readonly stpMode?: "cancel_both" | "cancel_maker" | "cancel_taker" | "none" | (string & {});
      readonly reduceOnly: "NO" | "YES" | (string & {});
      readonly feeDetail?: readonly {
        readonly feeCoin: string | null;
        readonly fee: string | null;
      }[] | null;
      readonly createdTime: string;
      readonly updatedTime: string;
      readonly cancelReason?: "" | "normal_cancel" | (string & {});
      readonly execType?: "delivery" | "liquidation" | "normal" | "offset" | "reduce" | (string & {});
    }[];
    readonly cursor: string;
  }>;
  readonly 'agent/list-trade-volume': Operation<{
    readonly startTime?: string;
    readonly endTime?: string;
    readonly pageNo?: string;
    readonly pageSize?: string;
    readonly uid?: string;
  }, readonly {
    readonly uid: string;
    readonly volumn: string;
    readonly time: string;
  }[]>;
  readonly 'agent/list-customers': Operation<{
    readonly startTime?: string;
    readonly endTime?: string;
    readonly pageNo?: string;
    readonly pageSize?: string;
    readonly uid?: string;
    readonly referralCode?: string;
  }, readonly {
    readonly uid: string | number;
    readonly registerTime: string;
  }[]>;
  readonly 'futures/place-order': Operation<{
    readonly symbol: string;
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly marginMode: "crossed" | "isolated";
    readonly marginCoin: string;
    readonly size: string;
    readonly price?: string;
    readonly side: "buy" | "sell";
    readonly tradeSide?: "close" | "open";
    readonly orderType: "limit" | "market";
    readonly force?: "fok" | "gtc" | "ioc" | "post_only";
    readonly clientOid?: string;
    readonly reduceOnly?: "NO" | "YES";
    readonly presetStopSurplusPrice?: string;
    readonly presetStopLossPrice?: string;
    readonly presetStopSurplusExecutePrice?: string;
    readonly presetStopLossExecutePrice?: string;
    readonly stpMode?: "cancel_both" | "cancel_maker" | "cancel_taker" | "none";
  }, {
    readonly orderId?: string;
    readonly clientOid: string;
  }>;
  readonly 'loan/list-orders': Operation<{
    readonly orderId?: string;
    readonly startTime?: string;
    readonly endTime?: string;
  }, readonly {
    readonly orderId: string;
    readonly orderProductId: string;
    readonly uid: string;
    readonly loanTime: string;
    readonly loanCoin: string;
    readonly loanAmount: string;
    readonly unpaidAmount: string;
    readonly unpaidInterest: string;
    readonly repaidAmount: string;
    readonly repaidInterest: string;
    readonly status: "not_paid_off" | "paid_off" | (string & {});
  }[]>;
  readonly 'futures/list-bills': Operation<{
    readonly productType: "COIN-FUTURES" | "SCOIN-FUTURES" | "SUSDC-FUTURES" | "SUSDT-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly coin?: string;
    readonly businessType?: "adjust_down_lever_append_margin" | "append_margin" | "auto_append_margin" | "bonus_expired" | "bonus_issue" | "bonus_recycle" | "burst_buy" | "burst_long_loss_query" | "burst_sell" | "burst_short_loss_query" | "buy" | "cash_gift_issue" | "cash_gift_recycle" | "close_long" | "close_short" | "contract_settle_fee" | "delivery_long" | "delivery_short" | "force_buy" | "force_close_long" | "force_close_short" | "force_sell" | "open_long" | "open_short" | "reduce_margin" | "risk_captital_user_transfer" | "sell" | "tracking_follow_back" | "tracking_follow_pay" | "tracking_trader_income" | "trans_from_contract" | "trans_from_cross" | "trans_from_exchange" | "trans_from_isolated" | "trans_from_otc" | "trans_to_contract" | "trans_to_cross" | "trans_to_exchange" | "trans_to_isolated" | "trans_to_otc" | "unknown" | "user_exchange_buy" | "user_exchange_sell";
    readonly onlyFunding?: "no" | "yes";
    readonly idLessThan?: string;
    readonly startTime?: string;
    readonly endTime?: string;
    readonly limit?: string;
  }, {
    readonly bills: readonly {
      readonly billId: string;
      readonly symbol: string;
      readonly amount: string;
      readonly fee: string;
      readonly feeByCoupon: string;
      readonly businessType: "adjust_down_lever_append_margin" | "append_margin" | "auto_append_margin" | "bonus_expired" | "bonus_issue" | "bonus_recycle" | "burst_buy" | "burst_long_loss_query" | "burst_sell" | "burst_short_loss_query" | "buy" | "cash_gift_issue" | "cash_gift_recycle" | "close_long" | "close_short" | "contract_settle_fee" | "delivery_long" | "delivery_short" | "force_buy" | "force_close_long" | "force_close_short" | "force_sell" | "open_long" | "open_short" | "reduce_margin" | "risk_captital_user_transfer" | "sell" | "tracking_follow_back" | "tracking_follow_pay" | "tracking_trader_income" | "trans_from_contract" | "trans_from_cross" | "trans_from_exchange" | "trans_from_isolated" | "trans_from_otc" | "trans_to_contract" | "trans_to_cross" | "trans_to_exchange" | "trans_to_isolated" | "trans_to_otc" | "unknown" | "user_exchange_buy" | "user_exchange_sell" | (string & {});
      readonly coin: string;
      readonly balance: string;
      readonly cTime: string;
    }[];
    readonly endId?: string;
  }>;
  readonly 'agent/list-assets': Operation<{
    readonly pageNo?: string;
    readonly pageSize?: string;
    readonly uid?: string;
  }, readonly {
    readonly uid: string;
    readonly balance: string;
    readonly uTime: string;
    readonly remark?: string;
  }[]>;
  readonly 'futures/list-adl-ranks': Operation<{
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
  }, readonly {
    readonly symbol: string;
    readonly marginCoin: string;
    readonly adlRank: string;
  }[]>;
  readonly 'market/list-tickers': Operation<{
    readonly category: "COIN-FUTURES" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly symbol?: string;
  }, readonly {
    readonly category: "COIN-FUTURES" | "SPOT" | "USDC-FUTURES" | "USDT-FUTURES" | (string & {});
    readonly symbol: string;
    readonly ts: string;
    readonly lastPrice: string;
    readonly openPrice24h: string;
    readonly highPrice24h: string;
    readonly lowPrice24h: string;
    readonly ask1Price: string;
    readonly ask1Size: string;
    readonly bid1Price: string;
    readonly bid1Size: string;
    readonly price24hPcnt: string;
    readonly volume24h: string;
    readonly turnover24h: string;
    readonly indexPrice?: string;
    readonly markPrice?: string;
    readonly fundingRate?: string;
    readonly openInterest?: string;
    readonly deliveryStartTime?: string;
    readonly deliveryTime?: string;
    readonly deliveryStatus?: "" | "delivery_before" | "delivery_config_period" | "delivery_normal" | "delivery_period" | (string & {});
  }[]>;
  readonly 'market/get-risk-reserve': Operation<{
    readonly category: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly symbol: string;
    readonly marginCoin?: string;
  }, {
    readonly totalBalance?: string;
    readonly coin: string;
    readonly riskReserveRecords: readonly {
      readonly type?: string;
      readonly amount: string;
      readonly balance: string;
      readonly ts: string;
    }[];
  }>;
  readonly 'market/list-fills': Operation<{
    readonly symbol: string;
    readonly productType: "COIN-FUTURES" | "SCOIN-FUTURES" | "SUSDC-FUTURES" | "SUSDT-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly limit?: string;
    readonly idLessThan?: string;
    readonly startTime?: string;
    readonly endTime?: string;
  }, readonly {
    readonly tradeId: string;
    readonly price: string;
    readonly size: string;
    readonly side: "Buy" | "Sell" | "buy" | "sell" | (string & {});
    readonly ts: string;
    readonly symbol: string;
  }[]>;
  readonly 'tax/list-p2p': Operation<{
    readonly coin?: string;
    readonly startTime: string;
    readonly endTime: string;
    readonly limit?: string;
    readonly idLessThan?: string;
  }, readonly {
    readonly id: string;
    readonly coin: string;
    readonly p2pTaxType: "buy" | "sell" | "transfer_in" | "transfer_out" | (string & {});
    readonly balance: string;
    readonly ts: string;
  }[]>;
  readonly 'futures/set-all-leverage': Operation<{
    readonly productType: "COIN-FUTURES" | "USDC-FUTURES" | "USDT-FUTURES";
    readonly leverage: string;
    readonly symbol?: string;
    readonly marginCoin?: string;
    readonly holdSide?: string;
  }, "failure" | "success" | (string & {})>;
  readonly 'margin/get-interest-rate': Operation<{
    readonly coin: string;
  }, {
    readonly coin: string;
    readonly dailyInterestRate: string;
    readonly annualInterestRate: string;
    readonly updatedTime: string;
  }>;
  readonly 'market/list-discount-rates': Operation<{}, readonly {
    readonly coin: string;
    readonly list: readonly {
      readonly tierStartValue: string;
      readonly discountRate: string;
    }[];
  }[]>;
  readonly 'account/create-sub': Operation<{
    readonly username: string;
    readonly accountMode?: "classic" | "unified";
    readonly note?: string;
  }, {
    readonly username: string;
    readonly subUid: string;
    readonly status: "normal" | (string & {});
    readonly note: string;
    readonly createdTime: string;
    readonly updatedTime: string;
  }>;
};
type OperationName = keyof typeof operations$1;
type Input<N extends OperationName> = Infer<(typeof operations$1)[N]['input']>;
type Output<N extends OperationName> = Infer<(typeof operations$1)[N]['output']>;
/** An object as it came: each declared field may be anything, or absent. */
type Carried<T> = { readonly [K in keyof T]?: unknown };
/**
 * A response after it is read: its list and its cursor are as declared, and its rows are objects. Other
 * fields may have values of any type, whatever the interface says: see `Output`.
 */
type AnswerOf<N extends OperationName> = AnswerIn<Output<N>>;
type AnswerIn<O> = O extends readonly (infer R)[] ? readonly Carried<R>[] : O extends {
  readonly list: readonly (infer R)[];
  readonly cursor: string;
} ? {
  readonly list: readonly Carried<R>[];
  readonly cursor: string;
} : O extends {
  readonly bills: readonly (infer R)[];
} ? {
  readonly bills: readonly Carried<R>[];
  readonly endId: string;
} : O extends {
  readonly entrustedList: readonly (infer R)[];
} ? {
  readonly entrustedList: readonly Carried<R>[];
  readonly endId: string;
} : O extends {
  readonly list: readonly (infer R)[];
} ? {
  readonly list: readonly Carried<R>[];
} : O extends object ? Carried<O> : unknown;
/** All names: those of the interface in its order, then the companions. */
declare const operationNames: readonly OperationName[];
declare function isOperation(name: string): name is OperationName;
/** An operation without its own input and output types. */
declare function operationOf(name: OperationName): Operation;
/** The exchange as the interpreter uses it; the client implements it. */
interface Exchange {
  /**
   * Calls one operation: validates and paces it, signs and sends it, and validates the response.
   * @throws InputError nothing was sent: the input violates the API schema
   * @throws RefusedError the exchange refused it, definitively
   * @throws UnavailableError nothing was executed, after all attempts
   * @throws DoubtError a write may or may not have been executed
   * @throws AnswerError a read returned data that violates the API schema
   */
  call<N extends OperationName>(name: N, input: Input<N>, options?: CallOptions): Promise<AnswerOf<N>>;
  /** The exchange's current time, derived from its responses; requests it if none is known. */
  serverTime(signal?: AbortSignal): Promise<Millis>;
  /**
   * The exchange's time from the last response only: no write depends on it. Undefined before any response.
   */
  latestTime?(): Millis | undefined;
  /** Watches the exchange's time in all responses until `end` is called. */
  watchTime(): TimeWatch;
}
/**
 * The exchange's clock by the response that sets it furthest back: if one response of a watch is
 * correct, no other can make this later than the real time.
 */
interface TimeWatch {
  /** The exchange's clock at a monotonic time; undefined before any response. */
  earliest(moment: Millis): Millis | undefined;
  /** The difference by which two responses contradict each other about the time; 0 while all agree. */
  dispute(): Millis;
  end(): void;
}
interface CallOptions {
  readonly signal?: AbortSignal;
  /** Deadline for this call with all its attempts; default: the client's. */
  readonly timeoutMs?: Millis;
  /** The maximum number of attempts, including the first; responses with a rate limit do not count. */
  readonly attempts?: number;
  /**
   * Send a write again after a response that says it was not executed: a rate limit, a refused
   * timestamp. Without it, such a response leaves the write in doubt.
   */
  readonly resend?: boolean;
  /**
   * Awaited before the first byte of every attempt, with its signing time. A writer makes its
   * intent durable here; if it throws, nothing is sent.
   */
  readonly beforeSend?: (sending: Sending) => Promise<void>;
  readonly onEvent?: (event: CallEvent) => void;
}
/** One attempt about to leave. */
interface Sending {
  readonly operation: OperationName;
  /** The number of the attempt: starts at 1 and grows with every attempt of one call. */
  readonly attempt: number;
  /** The signed timestamp: the exchange refuses this request 30 s after it. */
  readonly signedAt: Millis;
}
/**
 * Events of a call, for screens, traces and the journal. They never contain a header, and of bodies
 * only the response to a write, if it has deviations.
 */
type CallEvent = {
  readonly kind: 'waiting';
  readonly operation: OperationName;
  readonly ms: Millis;
} | {
  readonly kind: 'sent';
  readonly operation: OperationName;
  readonly attempt: number;
} | {
  readonly kind: 'answered';
  readonly operation: OperationName;
  readonly attempt: number;
  readonly ms: Millis;
  readonly status: number;
  readonly code: string; /** How the response deviates from the interface; absent if it does not. */
  readonly deviations?: readonly Deviation[]; /** The data of a write's response with deviations, as JSON. */
  readonly raw?: string;
} | {
  readonly kind: 'retrying';
  readonly operation: OperationName;
  readonly attempt: number;
  readonly reason: 'fault' | 'limit' | 'clock';
  readonly inMs: Millis;
  readonly because: string;
};
/** A request as sent; `query` has no question mark, `body` is '' for a GET. */
interface WireRequest {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}
interface WireResponse {
  readonly status: number;
  /** The headers of the response, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}
/**
 * Sends one request and returns its response.
 * @throws TransportError without a complete response
 */
interface Transport {
  (request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  /**
   * Whether a settled request neither keeps nor listens to its signal, which may then serve another
   * request.
   */
  readonly releasesSignal?: true;
}
/** No complete response arrived. `sent: 'no'` only if no byte can have left this machine. */
declare class TransportError extends Error {
  readonly name = "TransportError";
  readonly sent: 'no' | 'maybe';
  constructor(message: string, sent: 'no' | 'maybe', cause?: unknown);
}
/** The input violates the API schema; nothing was sent. */
declare class InputError extends DeskhandError {
  readonly problems: readonly InputProblem[];
  constructor(operation: OperationName, problems: readonly InputProblem[]);
}
/** One problem of an input; `path` names the field, [] the input itself. */
interface InputProblem {
  readonly path: readonly (string | number)[];
  readonly keyword: 'type' | 'required' | 'enum' | 'format' | 'range' | 'unknown' | 'rule';
  readonly message: string;
  readonly hint?: string;
  /** The field that may be given instead of a missing one. */
  readonly orElse?: string;
  /** The allowed values, for `enum` and `unknown`. */
  readonly allowed?: readonly string[];
}
/** The exchange refused the request definitively. */
declare class RefusedError extends DeskhandError {
  readonly answer: {
    readonly code: string;
    readonly message: string;
    readonly status: number;
  };
  readonly class: ErrorClass;
  constructor(operation: OperationName, answer: {
    readonly code: string;
    readonly message: string;
    readonly status: number;
  }, hint?: string);
}
/**
 * Nothing was executed: every attempt failed before sending or was rejected by the exchange. For a read
 * the message says only that nothing was read: it must not be taken for a message about a write.
 */
declare class UnavailableError extends DeskhandError {
  readonly because: string;
  /** The remedy, without how to continue: a run is resumed, another command is run again. */
  readonly remedy: string | undefined;
  /** @param isOverLimit a rate limit was the reason: only time helps */
  constructor(operation: OperationName, because: string, cause?: unknown, isOverLimit?: boolean);
}
/**
 * A write may or may not have been executed. It must not be sent again until its outcome is known.
 */
declare class DoubtError extends DeskhandError {
  readonly operation: OperationName;
  readonly because: string;
  /** Whether the exchange answered with a rate limit, which counts as not executed if the lists agree. */
  readonly isOverLimit: boolean;
  constructor(operation: OperationName, because: string, cause?: unknown, isOverLimit?: boolean);
  /** A copy of this doubt with one more sentence. */
  with(words: string): DoubtError;
}
/** The response to a read violates the API schema. */
declare class AnswerError extends DeskhandError {
  constructor(operation: OperationName, because: string, cause?: unknown);
}
/** The format of a saved plan. */
declare const planSchema: Schema<{
  readonly version: 2;
  readonly id: string;
  readonly nonce: string;
  readonly run: string;
  readonly contract: string;
  readonly isOffline: boolean;
  readonly playbook: {
    readonly name: string;
    readonly file: string;
    readonly digest: string;
    readonly text: string;
    readonly includes?: readonly {
      readonly file: string;
      readonly digest: string;
      readonly text: string;
    }[];
  };
  readonly destination: {
    readonly profile: string;
    readonly target: "demo" | "live" | "sandbox";
    readonly host: string;
    readonly keyFingerprint?: string;
    readonly accountId?: string;
    readonly family?: "classic" | "unified";
  };
  readonly accounts?: readonly {
    readonly profile: string;
    readonly target: "demo" | "live" | "sandbox";
    readonly host: string;
    readonly keyFingerprint?: string;
    readonly accountId?: string;
    readonly family?: "classic" | "unified";
  }[];
  readonly unlisted?: readonly string[];
  readonly notes?: readonly string[];
  readonly orphans?: readonly {
    readonly run: string;
    readonly address: string;
    readonly account?: string;
    readonly orderId: string;
    readonly clientOid: string;
    readonly symbol: string;
    readonly side: string;
    readonly size: string;
    readonly price: string;
  }[];
  readonly reused?: {
    readonly run: string;
    readonly from: readonly string[];
    readonly had?: readonly string[];
    readonly journal: string;
    readonly steps: readonly {
      readonly id: string;
      readonly run: string;
      readonly status: "done" | "skipped";
      readonly because?: string;
      readonly results: readonly {
        readonly key?: string;
        readonly status: "done" | "skipped";
        readonly response: Json;
        readonly outputs: Json;
        readonly file?: string;
        readonly rows?: number;
        readonly files?: readonly string[];
        readonly manifest?: Json;
      }[];
      readonly writes?: readonly {
        readonly address: string;
        readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
        readonly account?: string;
      }[];
      readonly files?: readonly {
        readonly file: string;
        readonly sha256: string;
        readonly rows?: number;
      }[];
    }[];
    readonly items?: readonly {
      readonly step: string;
      readonly key: string;
      readonly run: string;
      readonly response: Json;
      readonly value?: string;
      readonly input?: Json;
      readonly writes?: readonly {
        readonly address: string;
        readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
        readonly account?: string;
      }[];
      readonly files?: readonly {
        readonly file: string;
        readonly sha256: string;
        readonly rows?: number;
      }[];
    }[];
    readonly abandoned?: readonly {
      readonly address: string;
      readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
      readonly account?: string;
    }[];
    readonly again?: readonly {
      readonly address: string;
      readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
      readonly account?: string;
    }[];
  };
  readonly unfinished?: readonly {
    readonly run: string;
    readonly startedAt: number;
    readonly sent: number;
    readonly inDoubt: number;
    readonly again: number;
    readonly doubts: readonly string[];
  }[];
  readonly doubts?: {
    readonly isBlocking: boolean;
    readonly writes: readonly {
      readonly run: string;
      readonly playbook: string;
      readonly profile: string;
      readonly address: string;
      readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
      readonly input: Json;
      readonly signedAt: number;
    }[];
  };
  readonly authors: readonly string[];
  readonly commit?: string;
  readonly inputs: Json;
  readonly let?: Readonly<Record<string, Json>>;
  readonly scheduledFor?: number;
  readonly observedAt: number;
  readonly reads: readonly {
    readonly address: string;
    readonly values: Json;
  }[];
  readonly readLater?: readonly {
    readonly address: string;
    readonly account?: string;
    readonly values: readonly string[];
  }[];
  readonly expiresAt: number;
  readonly steps: readonly {
    readonly id: string;
    readonly uses: string;
    readonly name?: string;
    readonly effect: "keyed" | "local" | "once" | "outbound" | "read" | "set";
    readonly actions: readonly {
      readonly address: string;
      readonly key?: string;
      readonly account?: string;
      readonly operation?: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
      readonly change: {
        readonly kind: "read";
        readonly requests: number;
        readonly rows?: number;
        readonly range?: {
          readonly from: number;
          readonly to: number;
        };
        readonly continues?: {
          readonly from?: number;
          readonly gaps?: readonly {
            readonly from: number;
            readonly to: number;
          }[];
        };
        readonly failed?: string;
      } | {
        readonly kind: "none";
        readonly because: string;
      } | {
        readonly kind: "create";
      } | {
        readonly kind: "set";
        readonly was?: {
          readonly value?: string;
          readonly because: string;
        };
      } | {
        readonly kind: "local" | "outbound";
      } | {
        readonly kind: "skip";
        readonly because: string;
      } | {
        readonly kind: "reused";
        readonly because: string;
      } | {
        readonly kind: "later";
      };
      readonly confidence?: {
        readonly kind: "read-just-now";
      } | {
        readonly kind: "from-ledger";
        readonly run: string;
      } | {
        readonly kind: "cannot-be-read-back";
      } | {
        readonly kind: "not-read";
      } | {
        readonly kind: "known-after";
        readonly step: string;
      };
      readonly input: Json;
      readonly file?: string;
      readonly note?: string;
      readonly position?: {
        readonly long?: string;
        readonly short?: string;
        readonly unread?: string;
      };
      readonly order?: {
        readonly notional: string;
        readonly mark?: string;
        readonly distance?: string;
      };
    }[];
    readonly file?: string;
  }[];
  readonly unknownOrders?: readonly {
    readonly address: string;
    readonly account?: string;
    readonly isSeveral: boolean;
    readonly because: string;
    readonly advice?: string;
    readonly bounds: readonly {
      readonly guard: string;
      readonly limit: string;
    }[];
    readonly isBounded: boolean;
  }[];
  readonly totals: {
    readonly create: number;
    readonly set: number;
    readonly unchanged: number;
    readonly outbound?: number;
    readonly later?: number;
    readonly requests: number;
    readonly seconds: number;
    readonly orders: number;
    readonly notional: string;
    readonly unknown?: number;
    readonly several?: number;
    readonly farthest?: string;
    readonly openOrdersAfter?: number;
    readonly accounts?: readonly {
      readonly account: string;
      readonly create: number;
      readonly set: number;
      readonly unchanged: number;
      readonly orders: number;
      readonly notional: string;
      readonly openOrdersAfter?: number;
    }[];
  };
  readonly guards: readonly {
    readonly guard: string;
    readonly account?: string;
    readonly within?: string;
    readonly limit: string;
    readonly used: string;
    readonly isKept: boolean;
    readonly message: string;
  }[];
  readonly marks: Readonly<Record<string, string>>;
  readonly quotes: Readonly<Record<string, {
    readonly mark?: string;
    readonly bid?: string;
    readonly ask?: string;
    readonly unpriced?: string;
    readonly places?: {
      readonly price: number;
      readonly size: number;
    };
  }>>;
  readonly positions: Readonly<Record<string, readonly string[]>>;
  readonly openOrders?: Readonly<Record<string, number>>;
  readonly seal?: Readonly<Record<string, string>>;
  readonly digest: string;
}>;
type Plan = Infer<typeof planSchema>;
/** A secret text: printed, serialized and concatenated as dots. Only `reveal` returns it. */
declare class Secret {
  #private;
  constructor(value: string);
  /** The secret itself; call it only where it is used (signing, headers, a child's environment). */
  reveal(): string;
  toString(): string;
  toJSON(): string;
  [inspect.custom](): string;
}
/** The key of an account, as given by the exchange. */
interface AccountKey {
  readonly apiKey: string | Secret;
  readonly secretKey: string | Secret;
  readonly passphrase: string | Secret;
}
/**
 * A playbook: the path of its file, relative to `cwd`; or its content, as a value or as a text of several
 * lines, so that a program needs no file.
 */
type PlaybookSource = string | Readonly<Record<string, unknown>>;
/** Options that every function has. */
interface WorkOptions {
  /**
   * The folder of the work, with the playbooks, `deskhand.yaml` and `.deskhand`. Default: the current folder
   * of the process, which is never changed.
   */
  readonly cwd?: string;
  /** The environment variables, as the command line reads them. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * The configuration: the path of its file, or its content, as a value or as a text of several lines, whose
   * paths are relative to `cwd`. Default: the nearest `deskhand.yaml`.
   */
  readonly config?: string | Readonly<Record<string, unknown>>;
  /** The profile that takes precedence over the account of a playbook, as `--profile`. */
  readonly profile?: string;
}
/** Options of functions that use an account. */
interface AccountOptions extends WorkOptions {
  /** The folder of runs, plans and the embedded exchange. Default: as configured. */
  readonly stateDir?: string;
  /** Address of the state store, as `--store`. Default: as configured. */
  readonly store?: string;
  /** Keys by the name of their profile. Default: each key is read from the source that the profile names. */
  readonly credentials?: Readonly<Record<string, AccountKey>>;
  /**
   * A signal that stops the work in order when it is aborted, as the first Ctrl-C does: nothing new is sent.
   */
  readonly signal?: AbortSignal;
}
/** A playbook with its inputs. */
interface PlaybookOptions {
  /** The playbook: a file, or its content. */
  readonly playbook: PlaybookSource;
  /** Values of its inputs, by name; they replace defaults. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Ids of the steps to run; the steps that they need are added. Default: all steps. */
  readonly only?: readonly string[];
  /** The occurrence of the playbook's schedule: `2026-08-01T09:00:00Z`. */
  readonly scheduledFor?: string;
}
/** Options of `plan`. */
interface PlanOptions extends AccountOptions, PlaybookOptions {
  /** How long the plan is valid: `90s`, `15m`, `2h`, `3d`. */
  readonly expires?: string;
  /** Makes the plan without requests; such a plan is for review only. */
  readonly isOffline?: boolean;
}
/** The subject of `run`: a reviewed plan, or a playbook, which is planned first. */
type RunOptions = AccountOptions & {
  /**
   * The id of the plan, as `--approve`: a person has approved it for a live account. It does not replace the
   * signed approvals that an account may require.
   */
  readonly approve?: string; /** Sets unfinished runs of the playbook aside and starts a new one, as `--new --reason`. */
  readonly beside?: {
    /** The person who decided to run the playbook again. */readonly who: string; /** Why the playbook runs again. */
    readonly reason: string;
  };
} & ((PlaybookOptions & {
  readonly plan?: undefined;
}) | {
  /** The plan itself, the id of a saved plan, or the path of a plan file. */readonly plan: Plan | string; /** The content that the plan was made of, if the playbook is not a file; it is compared with the plan. */
  readonly playbook?: PlaybookSource;
});
/** Options of `resume`. */
interface ResumeOptions extends AccountOptions {
  /** The id of the run, `r-…`. */
  readonly run: string;
  /** The id of the run, as `--approve`: a person has approved sending the rest to a live account. */
  readonly approve?: string;
  /** Path of the plan that the run was started from, as `--plan`. */
  readonly planFile?: string;
}
/** Options of `validate`. */
interface ValidateOptions extends WorkOptions {
  /** Playbooks: files, or their content. */
  readonly playbooks: PlaybookSource | readonly PlaybookSource[];
}
/** One entry of a journal. */
declare const entrySchema: Schema<{
  readonly seq: number;
  readonly at: number;
  readonly kind: "reading";
  readonly address: string;
  readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
  readonly file: string;
  readonly time: number;
  readonly asked?: {
    readonly from: number;
    readonly to: number;
  };
  readonly replaces?: number;
  readonly since?: {
    readonly start: number;
    readonly from?: number;
    readonly gaps: readonly {
      readonly from: number;
      readonly to: number;
    }[];
    readonly files: readonly {
      readonly file: string;
      readonly rows: number;
      readonly sha256: string;
    }[];
  };
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "paged";
  readonly address: string;
  readonly page: number;
  readonly rows: number;
  readonly duplicates: number;
  readonly window?: {
    readonly from: number;
    readonly to: number;
  };
  readonly isLast?: true;
  readonly reached?: number;
  readonly columns?: readonly string[];
  readonly next?: {
    readonly window?: {
      readonly start: number;
      readonly end: number;
    };
    readonly place: Readonly<Record<string, string>>;
    readonly isEnd?: true;
    readonly againUntil?: number;
  };
  readonly kept: {
    readonly bytes: number;
    readonly crc: number;
    readonly names: {
      readonly bytes: number;
      readonly crc: number;
    };
  };
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "wrote";
  readonly step: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly pages: number;
  readonly range?: {
    readonly from: number;
    readonly to: number;
  };
  readonly clamped?: {
    readonly asked: number;
    readonly from: number;
  };
  readonly replaces?: number;
  readonly continued?: {
    readonly from?: number;
    readonly added: number;
    readonly replaced: number;
    readonly gaps?: readonly {
      readonly from: number;
      readonly to: number;
    }[];
  };
  readonly exceptions?: readonly {
    readonly column: string;
    readonly written: "null" | "text";
    readonly rows: number;
    readonly first: {
      readonly row: number;
      readonly value: string;
    };
  }[];
  readonly stored?: {
    readonly in: "store";
    readonly manifest?: string;
  } | {
    readonly in: "workspace";
    readonly host: string;
    readonly folder: string;
    readonly because?: string;
  };
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "document";
  readonly step: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly stored?: {
    readonly in: "store";
    readonly manifest?: string;
  } | {
    readonly in: "workspace";
    readonly host: string;
    readonly folder: string;
    readonly because?: string;
  };
} | {
  readonly seq: number;
  readonly at: number;
  readonly text: string;
  readonly lasts: number;
  readonly by?: "anyone" | "other";
  readonly of?: readonly string[];
  readonly count?: number;
  readonly effects: readonly {
    readonly address: string;
    readonly uses: string;
    readonly account?: string;
    readonly input?: Json;
    readonly after?: string;
  }[];
  readonly kind: "asked";
  readonly address: string;
  readonly destination: {
    readonly profile: string;
    readonly target: "demo" | "live" | "sandbox";
    readonly host: string;
    readonly keyFingerprint?: string;
    readonly accountId?: string;
    readonly family?: "classic" | "unified";
  };
  readonly time: number;
  readonly until: number;
  readonly digest: string;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "started";
  readonly run: string;
  readonly playbook: {
    readonly name: string;
    readonly file: string;
    readonly digest: string;
    readonly text: string;
    readonly includes?: readonly {
      readonly file: string;
      readonly digest: string;
      readonly text: string;
    }[];
  };
  readonly destination: {
    readonly profile: string;
    readonly target: "demo" | "live" | "sandbox";
    readonly host: string;
    readonly keyFingerprint?: string;
    readonly accountId?: string;
    readonly family?: "classic" | "unified";
  };
  readonly accounts?: readonly {
    readonly profile: string;
    readonly target: "demo" | "live" | "sandbox";
    readonly host: string;
    readonly keyFingerprint?: string;
    readonly accountId?: string;
    readonly family?: "classic" | "unified";
  }[];
  readonly plan?: string;
  readonly commit?: string;
  readonly approvals?: readonly {
    readonly who: string;
    readonly key: string;
    readonly at: number;
  }[];
  readonly authors?: readonly string[];
  readonly inputs: Json;
  readonly reads?: readonly {
    readonly address: string;
    readonly values: Json;
  }[];
  readonly orphans?: readonly {
    readonly run: string;
    readonly address: string;
    readonly account?: string;
    readonly orderId: string;
    readonly clientOid: string;
    readonly symbol: string;
    readonly side: string;
    readonly size: string;
    readonly price: string;
  }[];
  readonly reused?: {
    readonly run: string;
    readonly from: readonly string[];
    readonly had?: readonly string[];
    readonly journal: string;
    readonly steps: readonly {
      readonly id: string;
      readonly run: string;
      readonly status: "done" | "skipped";
      readonly because?: string;
      readonly results: readonly {
        readonly key?: string;
        readonly status: "done" | "skipped";
        readonly response: Json;
        readonly outputs: Json;
        readonly file?: string;
        readonly rows?: number;
        readonly files?: readonly string[];
        readonly manifest?: Json;
      }[];
      readonly writes?: readonly {
        readonly address: string;
        readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
        readonly account?: string;
      }[];
      readonly files?: readonly {
        readonly file: string;
        readonly sha256: string;
        readonly rows?: number;
      }[];
    }[];
    readonly items?: readonly {
      readonly step: string;
      readonly key: string;
      readonly run: string;
      readonly response: Json;
      readonly value?: string;
      readonly input?: Json;
      readonly writes?: readonly {
        readonly address: string;
        readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
        readonly account?: string;
      }[];
      readonly files?: readonly {
        readonly file: string;
        readonly sha256: string;
        readonly rows?: number;
      }[];
    }[];
    readonly abandoned?: readonly {
      readonly address: string;
      readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
      readonly account?: string;
    }[];
    readonly again?: readonly {
      readonly address: string;
      readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
      readonly account?: string;
    }[];
  };
  readonly time: number;
  readonly scheduledFor?: number;
  readonly program: string;
  readonly imported?: "named" | "unnamed";
  readonly naming?: 2;
  readonly itemsMax?: number;
  readonly steps: readonly {
    readonly id: string;
    readonly uses: string;
    readonly name?: string;
    readonly line: number;
    readonly accounts?: readonly string[];
  }[];
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "resumed";
  readonly accounts?: readonly {
    readonly profile: string;
    readonly target: "demo" | "live" | "sandbox";
    readonly host: string;
    readonly keyFingerprint?: string;
    readonly accountId?: string;
    readonly family?: "classic" | "unified";
  }[];
  readonly itemsMax?: number;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "taken-over";
  readonly host: string;
  readonly since: number;
  readonly until: number;
  readonly isListed?: true;
  readonly forgets?: true;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "opened";
  readonly step: string;
  readonly uses?: string;
  readonly items?: readonly string[];
  readonly accounts?: readonly string[];
  readonly writes?: readonly {
    readonly address: string;
    readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
    readonly input: Json;
    readonly identity: string;
    readonly account?: string;
  }[];
  readonly failure?: {
    readonly step: string;
    readonly code: string;
    readonly message: string;
  };
} | {
  readonly seq: number;
  readonly at: number;
  readonly address: string;
  readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
  readonly input: Json;
  readonly identity: string;
  readonly account?: string;
  readonly kind: "intended";
  readonly attempt: number;
  readonly signedAt: number;
  readonly since?: number;
  readonly mark?: string;
  readonly worth?: string;
  readonly of?: string;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "settled";
  readonly address: string;
  readonly outcome: {
    readonly kind: "done";
    readonly output: Json;
    readonly evidence: "answered" | "by-person" | "from-ledger" | "from-plan" | "looked-up";
    readonly person?: {
      readonly who: string;
      readonly comment?: string;
      readonly statement?: {
        readonly body: string;
        readonly signature: string;
        readonly key: string;
      };
    };
    readonly raw?: string;
  } | {
    readonly kind: "skipped";
    readonly because: string;
    readonly person?: {
      readonly who: string;
      readonly comment?: string;
      readonly statement?: {
        readonly body: string;
        readonly signature: string;
        readonly key: string;
      };
    };
  } | {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly exit: ExitCode;
    readonly kind: "refused";
    readonly at?: {
      readonly step: string;
      readonly address: string;
    };
  } | {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly exit: ExitCode;
    readonly kind: "failed";
    readonly person?: {
      readonly who: string;
      readonly comment?: string;
      readonly statement?: {
        readonly body: string;
        readonly signature: string;
        readonly key: string;
      };
    };
    readonly at?: {
      readonly step: string;
      readonly address: string;
    };
  } | {
    readonly kind: "doubt";
    readonly because: string;
    readonly lookup?: {
      readonly looks: number;
      readonly lists: readonly {
        readonly list: string;
        readonly until?: number;
        readonly unread?: string;
      }[];
      readonly but?: string;
    };
    readonly at?: {
      readonly step: string;
      readonly address: string;
    };
  };
  readonly of?: string;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "clock";
  readonly address: string;
  readonly time: number;
  readonly ms?: number;
} | {
  readonly seq: number;
  readonly at: number;
  readonly account: string;
  readonly line?: string;
  readonly profile: string;
  readonly orders: "listed" | "unknown" | "unlisted";
  readonly order: {
    readonly run: string;
    readonly address: string;
    readonly clientOid: string;
    readonly orderId?: string;
  };
  readonly time: number;
  readonly because?: string;
  readonly kind: "visibility";
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "clock-outlier";
  readonly address: string;
  readonly ms: number;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "signalled";
  readonly name: string;
  readonly payload: Json;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "waited";
  readonly address: string;
  readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
  readonly why: "limit" | "look-up" | "poll" | "retry";
  readonly ms: number;
  readonly because?: string;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "answered";
  readonly address: string;
  readonly operation: "account/create-sub" | "account/get-settings" | "account/set-leverage" | "agent/list-assets" | "agent/list-customers" | "agent/list-trade-volume" | "futures/cancel-order" | "futures/get-account" | "futures/get-order" | "futures/list-adl-ranks" | "futures/list-bills" | "futures/list-closed-orders" | "futures/list-open-orders" | "futures/list-positions" | "futures/place-order" | "futures/set-all-leverage" | "futures/set-leverage" | "loan/list-orders" | "loan/list-symbols" | "margin/get-interest-rate" | "market/get-risk-reserve" | "market/list-discount-rates" | "market/list-fills" | "market/list-tickers" | "order/list-history" | "order/list-open" | "tax/list-p2p" | "trade/cancel-order" | "trade/get-order" | "trade/list-positions" | "trade/place-order";
  readonly attempt: number;
  readonly ms: number;
  readonly status: number;
  readonly code: string;
  readonly count?: number;
  readonly deviations?: readonly {
    readonly field: string;
    readonly came: "absent" | "boolean" | "empty" | "list" | "null" | "number" | "object" | "text" | "undeclared";
    readonly count: number;
  }[];
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "unmet";
  readonly address: string;
  readonly level: "error" | "warn";
  readonly message: string;
  readonly line: number;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "closed";
  readonly step: string;
  readonly status: "done" | "doubt" | "failed" | "interrupted" | "refused" | "skipped";
  readonly because?: string;
  readonly hint?: string;
  readonly missing?: string;
  readonly continues?: true;
  readonly failed?: readonly {
    readonly key: string;
    readonly code: string;
    readonly message: string;
  }[];
  readonly reused?: string;
} | {
  readonly seq: number;
  readonly at: number;
  readonly kind: "finished";
  readonly status: "done" | "doubt" | "interrupted" | "stopped";
  readonly exit: ExitCode;
  readonly outputs: Json;
  readonly guards?: readonly {
    readonly guard: string;
    readonly account?: string;
    readonly within?: string;
    readonly limit: string;
    readonly used: string;
    readonly isKept: boolean;
    readonly message: string;
  }[];
}>;
declare const destinationSchema: Schema<{
  readonly profile: string;
  readonly target: "demo" | "live" | "sandbox";
  readonly host: string;
  readonly keyFingerprint?: string;
  readonly accountId?: string;
  readonly family?: "classic" | "unified";
}>;
/** The destination of a run; never a key, a secret or a passphrase. */
type Destination = Infer<typeof destinationSchema>;
declare const guardResult: Schema<{
  readonly guard: string;
  readonly account?: string;
  readonly within?: string;
  readonly limit: string;
  readonly used: string;
  readonly isKept: boolean;
  readonly message: string;
}>;
type GuardResult = Infer<typeof guardResult>;
/** An event with its position in the journal. `at` is the machine's wall clock. */
type Entry = Infer<typeof entrySchema>;
/** A range in a text: the location of a problem. */
/** A position in a text; line and column start at 1, the offset at 0. */
interface SourcePosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}
interface SourceRange {
  readonly file: string;
  readonly start: SourcePosition;
  readonly end: SourcePosition;
  /** The alias through which an anchored value is used; the range is where it is written. */
  readonly alias?: {
    readonly name: string;
    readonly at: SourcePosition;
  };
}
/** One problem of a playbook; `code` is stable and has a page in `deskhand explain`. */
interface Problem {
  readonly code: `PB${number}`;
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly at: SourceRange;
  /** The remedy for the problem. */
  readonly hint?: string;
  /** The definition in the API or the language. */
  readonly note?: string;
}
/** The options of a CSV file: how its values and lines are written. */
/** The delimiters between fields; a text with any of them is always quoted. */
declare const csvDelimiters: readonly [',', ';', '\t'];
type CsvDelimiter = (typeof csvDelimiters)[number];
interface CsvStyle {
  /** Whether the file starts with a byte order mark: some spreadsheets need it to read UTF-8. */
  readonly bom?: boolean;
  /** The delimiter between fields; default: a comma. */
  readonly delimiter?: CsvDelimiter;
}
/** A decimal with a fixed number of digits, of which `scale` follow the point. */
interface DecimalType {
  readonly kind: 'number';
  readonly precision: number;
  readonly scale: number;
}
type ColumnType = DecimalType | {
  readonly kind: 'time';
} | {
  readonly kind: 'text';
};
/** Types by column name; the values decide about a column that is not here. */
type ColumnTypes = ReadonlyMap<string, ColumnType>;
interface TextType {
  readonly kind: 'text';
  readonly format?: string;
  readonly values?: readonly string[];
  /** Whether a helper or a template makes the text, which may be a time then. */
  readonly isComposed?: true;
}
type Type = TextType | {
  readonly kind: 'integer' | 'decimal' | 'boolean' | 'time' | 'duration' | 'null' | 'any';
} | {
  readonly kind: 'list';
  readonly items: Type;
} /** Whether keys are not known in advance. */ | {
  readonly kind: 'map';
  readonly values: Type;
} | {
  readonly kind: 'record';
  readonly fields: ReadonlyMap<string, Field>;
};
interface Field {
  readonly type: Type;
  /** Whether the field may be missing; an expression must handle that. */
  readonly isOptional?: boolean;
}
interface Rule {
  readonly code: RuleCode;
  readonly title: string;
  readonly explanation: string;
  readonly bad: string;
  readonly good: string;
}
declare const table: {
  PB301: readonly ["template cannot be read", "Expressions between {{ and }} is not an expression.", "\"{{ add 1 }\"", "\"{{ add 1 2 }}\""];
  PB302: readonly ["not allowed in a template", "Partials, decorators, {{{ }}} and ../ are not part of the language. Blocks, this and @index are available only in a text of the parts of report/page.", "\"{{> part }}\"", "\"{{ inputs.part }}\""];
  PB303: readonly ["unknown helper", "Only the helpers that `deskhand explain` lists exist.", "\"{{ plus 1 2 }}\"", "\"{{ add 1 2 }}\""];
  PB304: readonly ["unknown name", "The path names something that does not exist.", "\"{{ response.subUidd }}\"", "\"{{ response.subUid }}\""];
  PB305: readonly ["wrong type", "The value has the wrong type.", "\"{{ add inputs.name 1 }}\"", "\"{{ add inputs.count 1 }}\""];
  PB306: readonly ["not available here", "response, each, row, rows, this, failure and secrets are available only in certain places.", "with: { note: \"{{ response.x }}\" }", "outputs: { x: \"{{ response.x }}\" }"];
  PB307: readonly ["used before it is done", "The step, the input or the value of let that it depends on comes later.", "a step that uses steps.later", "move it, or add needs: [later]"];
  PB308: readonly ["not a condition", "if, until and that are a single expression with the result true or false. Other values are not converted.", "if: \"{{ inputs.count }}\"", "if: \"{{ gt inputs.count 0 }}\""];
  PB309: readonly ["list inside text", "Only single values can be used inside a text.", "note: \"uids {{ inputs.uids }}\"", "note: \"uids {{ join inputs.uids ',' }}\""];
  PB310: readonly ["wrong arguments", "The helper takes other arguments.", "\"{{ add 1 }}\"", "\"{{ add 1 2 }}\""];
  PB311: readonly ["may be missing", "The exchange may omit this field, its step may be skipped, or items of a for-each may have failed; add a default, stop without it with required, or say on-error: partial.", "\"{{ response.0.markPrice }}\"", "\"{{ default response.0.markPrice response.0.lastPrice }}\""];
  PB313: readonly ["no result with these values", "With these inputs the expression has no result, or one that cannot be used here.", "for-each: \"{{ range 1 inputs.count }}\", with count 0", "--var count=3, or minimum: 1 for the input"];
  PB314: readonly ["secret in the wrong place", "Anyone on a branch can change a playbook. It cannot use the credentials of the exchange, and an address must be completely secret or not at all, so that no other host receives the secret.", "url: \"https://example.org/{{ secrets.API_KEY }}\"", "url: \"{{ secrets.OPS_WEBHOOK }}\""];
  PB315: readonly ["name of a value", "A name under let is letters, digits, dashes and underscores. A step cannot give a value the name of one of the playbook: the two would be confused.", "let: { size: \"0.01\" } of the playbook, and let: { size: \"0.02\" } in a step", "let: { small: \"0.02\" } in the step"];
  PB312: readonly ["condition that is always the same", "No input and no response changes its result: it is a leftover, or compares with a misspelled value.", "if: \"{{ eq inputs.side 'Buy' }}\", where side is buy or sell", "if: \"{{ eq inputs.side 'buy' }}\""];
  PB001: readonly ["not valid YAML", "The file could not be read as YAML 1.2, so nothing after this location can be used.", "steps: [", "steps: [{ uses: market/list-discount-rates }]"];
  PB002: readonly ["too large or too deep", "A playbook is at most 256 KiB, 64 levels deep, 50,000 nodes and 1,000 keys in one map, with every alias written out. Split a larger one, or read rows with a step.", "a file of 1 MiB", "two playbooks, one of which uses the other: uses: ./part.yaml"];
  PB003: readonly ["character not allowed", "Control characters and direction marks make a text look different from its contents.", "note: \"a\\u0000b\"", "note: \"a b\""];
  PB004: readonly ["duplicate key", "YAML parsers disagree on which of two equal keys is used, so neither is accepted.", "size: \"1\"\nsize: \"2\"", "size: \"2\""];
  PB005: readonly ["YAML feature not used here", "Tags, directives and further documents are refused. Anchors, aliases and merge keys are for playbooks: an anchor has one definition, before its aliases, and belongs to a value. Other files, such as deskhand.yaml and tests, say everything where it applies.", "guards: *strict, in deskhand.yaml", "write the limits out"];
  PB006: readonly ["template without quotes", "YAML reads an unquoted {{ x }} as a mapping, and ends a text at the first colon or comma. Always quote a value with a template.", "size: {{ inputs.size }}", "size: \"{{ inputs.size }}\""];
  PB007: readonly ["empty playbook", "The file has no steps.", "# only a comment", "playbook: 1"];
  PB101: readonly ["unknown key", "A key that is not part of the language would be ignored; it is probably misspelled.", "retires: 3", "retry: { attempts: 3 }"];
  PB102: readonly ["key is missing", "The step or playbook requires this key.", "- id: a", "- id: a\n  uses: market/list-tickers"];
  PB103: readonly ["wrong shape", "The value has the wrong type: for example a text where a list is expected.", "steps: market/list-discount-rates", "steps: [{ uses: market/list-discount-rates }]"];
  PB104: readonly ["value not in the list", "Only certain values are allowed here.", "on-error: ignore", "on-error: continue"];
  PB105: readonly ["value not allowed", "The value is out of range, or written in an ambiguous way.", "timeout: 10", "timeout: 10s"];
  PB106: readonly ["input contradicts itself", "A limit does not apply to this type, no value meets the limits, or the default does not meet them.", "leverage: { type: integer, maximum: 20, default: 25 }", "leverage: { type: integer, maximum: 20, default: 5 }"];
  PB201: readonly ["unknown operation", "uses names an operation of the exchange or a built-in step.", "uses: futures/place-ordr", "uses: futures/place-order"];
  PB202: readonly ["unknown field", "The operation has no such field; the exchange would ignore it.", "with: { simbol: BTCUSDT }", "with: { symbol: BTCUSDT }"];
  PB203: readonly ["field is missing", "The operation requires this field, always or under the named conditions.", "orderType: limit", "orderType: limit\nprice: \"61500.0\""];
  PB204: readonly ["value not allowed by the API", "The exchange’s interface does not allow this value.", "side: Buy", "side: buy"];
  PB205: readonly ["fields contradict each other", "Each field is allowed, but not both of them with these values.", "reduceOnly: YES\ntradeSide: close", "tradeSide: close"];
  PB206: readonly ["times out of range", "The exchange keeps some records for a number of days only. Older data is omitted; a range that ends before the look-back cannot be read.", "startTime: \"{{ daysAgo 200 }}\"\nendTime: \"{{ daysAgo 100 }}\"", "startTime: \"{{ daysAgo 90 }}\"\nendTime: \"{{ run.time }}\""];
  PB207: readonly ["does not fit the symbol", "The symbol, its margin coin, its steps, or its minimum and maximum order. A sandbox reports them, so a plan finds what would be refused. A live exchange does not; its plan notes values that are more precise than the quotes.", "symbol: BTCUSDT\nsize: \"0.0005\"", "symbol: BTCUSDT\nsize: \"0.001\""];
  PB208: readonly ["does not fit the account", "In hedge mode an order requires tradeSide, or posSide of a unified account; in one-way mode it must not have it.", "tradeSide: open, on an account in one-way mode", "omit tradeSide or posSide, or use an account in hedge mode"];
  PB209: readonly ["field is ignored", "The exchange accepts this field and ignores it, always or with the other fields of the step.", "uses: futures/set-all-leverage\nwith: { productType: USDT-FUTURES, leverage: \"5\", symbol: BTCUSDT }", "uses: futures/set-all-leverage\nwith: { productType: USDT-FUTURES, leverage: \"5\" }"];
  PB401: readonly ["duplicate id", "The id identifies a step in steps.ID, needs and the journal.", "two steps with id: a", "ids a and b"];
  PB402: readonly ["needs an unknown step", "needs names ids of steps of the same playbook.", "needs: [ladr]", "needs: [ladder]"];
  PB403: readonly ["cycle in needs", "No order of the steps satisfies their needs.", "a needs b, b needs a", "remove one of the two"];
  PB404: readonly ["two steps write one file", "The second would replace what the first wrote.", "file: out/a.csv, twice", "file: out/a.csv and out/b.csv"];
  PB405: readonly ["same name for several writes", "The exchange identifies an order by its clientOid and a sub-account by its username; a second one with the same name is refused, or taken for the first.", "clientOid: mine, under for-each", "clientOid: \"mine-{{ each.index }}\""];
  PB406: readonly ["too many items", "A for-each has at most 10,000 items, or plan.items of the profile.", "for-each: \"{{ range 0 1000000 }}\"", "split the playbook"];
  PB407: readonly ["file name not allowed", "Files are written in the workspace, with plain names whose extension is the format.", "file: ../x.csv", "file: out/x.csv"];
  PB408: readonly ["key without effect", "Some keys apply only to reads, or only with another key. An ignored key would be misleading.", "uses: futures/place-order\nuntil: …", "place the order in one step, and poll order/list-open in the next"];
  PB409: readonly ["same file for several items", "Every item of the for-each would write the same file, and only the last one would remain.", "file: out/bills.csv, under for-each", "file: \"out/bills-{{ each.key }}.csv\""];
  PB410: readonly ["playbooks use each other", "A playbook that uses itself, directly or indirectly, would never end.", "uses: ./b.yaml in a.yaml, uses: ./a.yaml in b.yaml", "move the shared steps to a third playbook"];
  PB411: readonly ["playbook cannot be read", "uses with a path names another playbook, relative to its file; at most eight levels deep, all inside the current folder.", "uses: ./ladr.yaml", "uses: ./ladder.yaml"];
  PB412: readonly ["two items with the same key", "The key identifies an item in the journal, in the plan and in the id of its order.", "for-each: [a, a]", "for-each: [a, b]"];
  PB413: readonly ["schedule that cannot run", "Its times, time zone or steps do not exist, or one of its steps needs a step that it omits.", "cron: \"0 24 * * *\"", "cron: \"0 0 * * *\""];
  PB414: readonly ["blocked by its own guards", "The guards of this playbook block the step with any inputs.", "guards: { symbols: [BTCUSDT] }, and an order of ETHUSDT", "add ETHUSDT to the symbols, or remove the order"];
  PB415: readonly ["missing rows", "from must name an earlier step with rows: one that reads a list, places or cancels orders, or creates sub-accounts, or a report/table.", "from: volum", "from: volume"];
  PB416: readonly ["column of a table", "A column is a value of each row; in a grouped table it aggregates the rows of a group: sum, count, min, max, first or last.", "group-by: { uid: \"{{ row.uid }}\" }\ncolumns: { volume: \"{{ row.volumn }}\" }", "group-by: { uid: \"{{ row.uid }}\" }\ncolumns: { volume: { sum: \"{{ row.volumn }}\" } }"];
  PB417: readonly ["chart that cannot be drawn", "A chart draws the rows of a step only: its Vega-Lite spec has no URLs, data or links.", "spec: { data: { url: https://… }, mark: bar }", "from: volume\nspec: { mark: bar }"];
  PB418: readonly ["blocked by the guards of its profile", "The guards of its profile block the step with any inputs.", "profiles: { main: { guards: { symbols: [BTCUSDT] } } }, and an order of ETHUSDT", "remove the order, or ask the owner of the guards to change them"];
  PB419: readonly ["part of a page", "Each part of a page is either text, figures, a chart or a table.", "parts: [{ text: …, table: volume }]", "parts: [{ text: … }, { table: volume }]"];
  PB420: readonly ["items identified only by their position", "With once-per: playbook the key identifies an item in every later run. Mappings and lists in a list have only their position, which changes when a member is inserted before them: the same content would be written again.", "once-per: playbook\nfor-each: [{ price: \"61500.0\" }]", "once-per: playbook\nfor-each: [{ price: \"61500.0\" }]\nkey: \"{{ each.value.price }}\""];
  PB421: readonly ["live account without an id", "once-per: playbook and shared state identify an account permanently, but keys are rotated. An account-id identifies the account with any key or address.", "profiles: { main: { target: live } }, and once-per: playbook", "profiles: { main: { target: live, account-id: \"7000000002\" } }"];
  PB422: readonly ["account that is not a profile", "An account is the name of a profile in deskhand.yaml. If deskhand.yaml exists, every playbook and step must name one of its profiles.", "account: mian", "account: main, and profiles: { main: … } in deskhand.yaml"];
  PB423: readonly ["program that cannot be run", "A profile defines which programs its playbooks may start. A program in the workspace must exist and be executable, unless an earlier program may create it. A missing program outside the workspace is a warning, because the run may be on another machine.", "command: [./bin/upload, out.csv], and no such file", "chmod +x bin/upload, and profiles: { main: { allow: { shell: [./bin/upload] } } }"];
  PB424: readonly ["operation of the other account family", "On the exchange an account is classic or unified, and its key is refused by the operations of the other family. A profile says which it is; without `family` both are allowed, as on the sandbox.", "profiles: { main: { family: unified } }, and uses: futures/place-order", "uses: trade/place-order"];
  PB425: readonly ["file that cannot be continued", "since: last reads a time range and adds its rows to csv, ndjson or json files. Columns must identify a row, and the name of the file may use the time of the row, but not that of the run: rows of the month before would be in the wrong file.", "file: \"out/{{ date run.time 'yyyy-MM' }}.csv\"\nsince: last", "file: \"out/{{ date row.cTime 'yyyy-MM' }}.csv\"\nsince: last"];
  PB426: readonly ["approval out of place", "A step with uses: approve waits until people approve the steps that follow it, once for all of them. Steps of on-failure and finally run in any case, so they cannot wait for one; and it has no for-each.", "on-failure: [{ uses: approve, with: { text: Close it?, for: 1h } }]", "steps: [{ id: consent, uses: approve, with: { text: Buy it?, for: 1h } }]"];
  PB427: readonly ["accounts on different exchanges", "All accounts of a run are on the exchange of its profile, and all live, all for demo trading, or all sandboxes: prices, limits and approvals of a plan hold for one exchange.", "account: try, a profile with target: sandbox, in a playbook of a live one", "a playbook for each exchange"];
  PB501: readonly ["value is not used", "Nothing reads this input or this value of let; it is probably a leftover or misspelled.", "inputs: { smybol: … }", "use it or remove it"];
  PB502: readonly ["step never runs", "Its condition is always false, or it has no items.", "if: \"{{ eq 1 2 }}\"", "remove the step, or make the condition depend on an input"];
};
type RuleCode = keyof typeof table;
declare const rules: readonly Rule[];
/** A path of an expression, the available alternatives, and its inferred type. */
interface SeenPath {
  readonly root: string;
  readonly path: readonly string[];
  readonly at: SourceRange;
  readonly roots: ReadonlyMap<string, Type>;
  /** `any` if the path leads nowhere. */
  readonly type: Type;
}
/**
 * Counts the steps of an evaluation. They do not depend on the machine: an expression within the limit
 * here is within it everywhere.
 */
declare class Effort {
  #private;
  constructor(itemsMax?: number);
  /** Maximum items of a for-each and members of a range. */
  get itemsMax(): number;
  /** Applies the limit of a profile. */
  allowItems(most: number): void;
  /** An expression starts; unused steps of rows do not accumulate. */
  begin(isOfRow: boolean): void;
  /** Resets the counted steps. */
  renew(): void;
  /** @throws TooManyError above the limit */
  spend(steps: number): void;
}
/** An exact decimal number. Create one with `decimal`, print it with `decimalText`. */
type Decimal = Big;
/** A time; sent to the exchange as Unix milliseconds. */
declare class Moment {
  readonly ms: Millis;
  constructor(ms: Millis);
}
/** A duration. */
declare class Span {
  readonly ms: Millis;
  constructor(ms: Millis);
}
/** A value that exists only after a step was executed; expressions over it are unknown, too. */
declare class Unknown {
  /** The step that makes the value known, with its item: `subs[alpha]`. */
  readonly after: string;
  constructor(after: string);
}
type Value = string | number | boolean | null | Decimal | Moment | Span | Unknown | readonly Value[] | {
  readonly [key: string]: Value;
};
/** The roots of an expression. Which of them are available depends on the field. */
type Root = 'inputs' | 'steps' | 'each' | 'response' | 'row' | 'rows' | 'joined' | 'run' | 'secrets' | 'failure' | 'account' | 'this' | '@index' | '@first' | '@last';
type Scope = Readonly<Partial<Record<Root, Value>>>;
/**
 * The result of an evaluation. `known: true` has a value without any unknown part. Otherwise
 * `after` is the step it waits for, and `partial` the list or map with `Unknown` leaves if at least
 * its structure is known.
 */
type Lookup = {
  readonly known: true;
  readonly value: Value;
} | {
  readonly known: false;
  readonly after: string;
  readonly partial?: Value;
};
type ExpressionNode = LiteralNode | PathNode | CallNode;
interface LiteralNode {
  readonly kind: 'literal';
  readonly value: Value;
  readonly type: Type;
  readonly at: SourceRange;
}
interface PathNode {
  readonly kind: 'path';
  /** `steps.subs.outputs` has the root `steps` and two more names. */
  readonly root: string;
  readonly path: readonly string[];
  readonly at: SourceRange;
  /** The value of `let.NAME`; the other names lead into it. */
  readonly local?: LocalValue;
}
/** A value of `let`. */
interface LocalValue {
  readonly name: string;
  readonly isOfStep: boolean;
  readonly nodes: readonly ExpressionNode[];
  /** The expression that is the whole value. */
  readonly whole?: ExpressionNode;
  /** The literal that is the whole value. */
  readonly constant?: {
    readonly value: Json;
    readonly source: string;
  };
  /** All that it depends on, also by other values of `let`: each path once. */
  readonly references: readonly PathNode[];
  /** @throws EvaluationError */
  readonly evaluate: (scope: Scope) => Value;
}
interface CallNode {
  readonly kind: 'call';
  readonly helper: string;
  readonly positional: readonly ExpressionNode[];
  readonly named: ReadonlyMap<string, ExpressionNode>;
  readonly at: SourceRange;
}
/** `classic`: accounts of the v2 paths. `unified`: accounts of the v3 paths. */
declare const families: readonly ['classic', 'unified'];
type Family = (typeof families)[number];
/** The configured limits: counts as numbers, amounts and shares as texts of decimals. */
interface NumberRules {
  readonly maxWrites?: number;
  /** Maximum total value of all orders, in dollars: USDT, USDC and USD count equally. */
  readonly maxNotional?: string;
  readonly maxOrderNotional?: string;
  /** Maximum distance of a price from the mark price: `0.05`. */
  readonly maxDistance?: string;
  /** Maximum value that the position of a symbol may have after an order, in dollars. */
  readonly maxPosition?: string;
  readonly maxLeverage?: number;
}
/** The limits in force. An absent limit does not apply. */
interface GuardRules extends NumberRules {
  readonly symbols?: readonly string[];
  /** Operations that may write. */
  readonly operations?: readonly OperationName[];
  /** Accounts that may be written to: profiles, or fingerprints of keys. */
  readonly accounts?: readonly string[];
  /** Whether a doubt of another playbook on the account and symbol blocks a run; default: on live. */
  readonly doubts?: 'block' | 'show';
  /** The allowed hours as texts; one of every list must match now. */
  readonly hours?: readonly (readonly string[])[];
}
/** The limits of a profile, which a playbook cannot change. */
interface OuterGuards {
  readonly profile: string;
  readonly rules: GuardRules;
  /** Requirements for the accounts of profiles; default: none. */
  readonly accounts?: AccountRules;
}
/** The rules about accounts that need an id before a write. */
interface AccountRules {
  /** Whether a profile is live and has no account-id. */
  readonly lacksId: (profile: string) => boolean;
  /** The setting that shares the state with other machines; absent if none does. */
  readonly sharedBy?: string;
  /** The instruction for setting the account-id of a profile. */
  readonly hint: (profile: string) => string;
  /** The account family of a profile; undefined if it does not say. */
  readonly family: (profile: string) => Family | undefined;
  /** The problem of an unknown profile; undefined for a known one. */
  readonly unknown: (profile: string) => Fault | undefined;
  /** Why a profile cannot be used in a run on another one: they are on different exchanges. */
  readonly elsewhere: (profile: string, own: string) => Fault | undefined;
  /**
   * Why a program cannot be run on a profile. It uses only facts that another machine shares: the
   * profile's `allow`, and whether a path in the workspace is a program.
   */
  readonly program: (profile: string, name: string) => ProgramFault | undefined;
}
/** The problem and a hint: `unknown profile "mian" in …`, with a suggestion. */
interface Fault {
  readonly message: string;
  readonly hint?: string;
}
interface ProgramFault extends Fault {
  /** `missing` in the workspace, where an earlier program may create it; `elsewhere` is outside. */
  readonly kind: 'refused' | 'missing' | 'elsewhere';
}
/** One `{{ … }}`, parsed and typed. */
interface Expression {
  readonly text: string;
  readonly at: SourceRange;
  readonly references: readonly Reference[];
  /** The values of `let` that it names. */
  readonly locals: readonly LocalValue[];
  readonly node: ExpressionNode;
  /** Counts the cost of this and all other expressions of the playbook. */
  readonly effort: Effort;
  /** @throws EvaluationError when a helper refuses its arguments or a path has no value */
  evaluate(scope: Scope): Lookup;
}
/** A value of `let` in the file. */
interface Named {
  readonly template: Template;
  readonly local: LocalValue;
  /** The location of the value's name. */
  readonly at: SourceRange;
}
/** A path in an expression: `steps.subs.outputs` has the root `steps` and two more names. */
interface Reference {
  readonly root: string;
  readonly path: readonly string[];
  readonly at: SourceRange;
}
/** A value in a playbook that may contain expressions. */
type Template = /** `source` is the text as written, with every digit of a number. */{
  readonly kind: 'literal';
  readonly value: Json;
  readonly source: string;
  readonly at: SourceRange;
} | {
  readonly kind: 'expression';
  readonly expression: Expression;
  readonly at: SourceRange;
} | {
  readonly kind: 'text';
  readonly parts: readonly (string | Expression)[];
  readonly at: SourceRange;
} /** A text with blocks, allowed only in pages. */ | {
  readonly kind: 'prose';
  readonly parts: BlockBody;
  readonly at: SourceRange;
} | {
  readonly kind: 'list';
  readonly items: readonly Template[];
  readonly at: SourceRange;
} | {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, Template>;
  readonly at: SourceRange;
};
/** The content of a block's tag. */
type BlockBody = readonly (string | Expression | Block)[];
/** The keywords of blocks. */
declare const blockWords: readonly ['each', 'if', 'unless'];
/** A part of a text that is repeated for each member, or depends on a condition. */
interface Block {
  readonly block: (typeof blockWords)[number];
  /** The collection, or the condition. */
  readonly over: Expression;
  readonly body: BlockBody;
  /** The part after `else`, for a collection without members or a condition that is false. */
  readonly otherwise: BlockBody;
}
declare const inputTypes: readonly ['string', 'integer', 'decimal', 'boolean', 'time', 'duration', 'list', 'map', 'record', 'enum'];
type InputType = (typeof inputTypes)[number];
/** The type of a value, and its limits. */
interface DeclaredType {
  readonly type: InputType;
  readonly description?: string;
  /** Type of a list's items or a map's values. */
  readonly items?: DeclaredType;
  /** The fields of a record, in the order of the file. */
  readonly fields?: ReadonlyMap<string, FieldDeclaration>;
  /** Allowed values of an enum. */
  readonly values?: readonly string[];
  readonly pattern?: string;
  /** Bounds as written, inclusive, compared as decimals. */
  readonly minimum?: string;
  readonly maximum?: string;
}
/** A field of a record: required, unless it has a default or is optional. */
interface FieldDeclaration extends DeclaredType {
  readonly default?: Template;
  readonly isOptional: boolean;
}
interface InputDeclaration extends DeclaredType {
  readonly name: string;
  readonly at: SourceRange;
  readonly default?: Template;
  readonly isRequired: boolean;
}
/** Built-in steps, in addition to the exchange's operations. */
declare const builtIns: readonly ['wait', 'approve', 'report/table', 'report/chart', 'report/page', 'notify/webhook', 'shell/run'];
type BuiltIn = (typeof builtIns)[number];
/** The action of a step; effects are selected by `kind`. */
type Action = {
  readonly kind: 'call';
  readonly operation: OperationName;
} | {
  readonly kind: 'built-in';
  readonly name: BuiltIn;
} | {
  readonly kind: 'playbook';
  readonly playbook: Playbook; /** The type of the nested playbook's outputs. */
  readonly answer: Type;
} /** `uses` is invalid, which was reported; no validated playbook has it. */ | {
  readonly kind: 'none';
};
interface Step {
  readonly id: string;
  /** The step's id, below those of its outer items: `desks[alpha]/ladder`; only the id at the top level. */
  readonly path: string;
  readonly name?: string;
  readonly at: SourceRange;
  /** `uses` as written, with its location. */
  readonly uses: string;
  readonly usesAt: SourceRange;
  readonly action: Action;
  /** A profile other than the playbook's. */
  readonly account?: Template;
  /** Steps that must finish first; default: the order of the file. */
  readonly needs: readonly string[];
  readonly forEach?: Template;
  /** Whether the for-each is a matrix: its items are the combinations of several lists. */
  readonly isMatrix?: true;
  readonly key?: Template;
  readonly condition?: Expression;
  /** Values by name for the other keys of the step, except `for-each`. */
  readonly let: ReadonlyMap<string, Named>;
  readonly with: ReadonlyMap<string, Template>;
  readonly outputs?: ReadonlyMap<string, Template>;
  readonly expect: readonly Expectation[];
  readonly until?: Expression;
  readonly poll?: {
    readonly everyMs: Millis;
    readonly forMs: Millis;
  };
  readonly write?: Write;
  readonly oncePer: 'run' | 'playbook';
  /** `partial`: the items that succeeded are the result of a for-each. */
  readonly onError: OnError;
  /** Failed items of a for-each after which no other starts; default: unlimited. */
  readonly maxFailures?: number;
  readonly timeoutMs?: Millis;
  /** The maximum number of attempts, including the first, not counting rate limits. */
  readonly attempts?: number;
  /** Maximum concurrent items of a for-each; default 1. */
  readonly parallel: number;
}
/** The treatment of later steps after a failure. */
declare const onErrorWords: readonly ['stop', 'continue', 'partial'];
type OnError = (typeof onErrorWords)[number];
interface Expectation {
  readonly that: Expression;
  readonly message?: Template;
  readonly level: 'error' | 'warn';
  readonly at: SourceRange;
}
declare const writeFormats: readonly ['csv', 'ndjson', 'json', 'parquet', 'xlsx'];
type WriteFormat = (typeof writeFormats)[number];
/** Writes the rows of a read to a file. */
interface Write {
  readonly file: Template;
  /** The format of the file. Default: by the file's extension. */
  readonly format?: WriteFormat;
  /** Column name to a template over `row`; default: all fields. */
  readonly columns?: ReadonlyMap<string, Template>;
  /** Types that columns have in formats with types; default: those of their values. */
  readonly types?: ColumnTypes;
  readonly csv?: CsvStyle;
  /** Columns that together identify a row; a second such row is an error. */
  readonly unique?: readonly string[];
  /** The columns to sort by; with `sheets`, the column of the sheets is the first. */
  readonly sort?: readonly string[];
  /** The column whose values are the sheets of a workbook. */
  readonly sheets?: string;
  /** The locations of `unique`, `sort` and `sheets`. */
  readonly places: { readonly [key in 'unique' | 'sort' | 'sheets']?: SourceRange };
  /** true replaces any file; default: only a complete earlier export. */
  readonly overwrite?: boolean;
  /** Continues the files of earlier runs, and reads the last part of their time range again. */
  readonly since?: {
    readonly overlapMs: Millis;
  };
}
/** Limits in the playbook itself; they can only tighten the profile's. */
interface Guards extends Omit<GuardRules, 'symbols' | 'hours'> {
  readonly symbols?: Template;
  /** The ranges of time in which the run is allowed: the current time must be within one of them. */
  readonly hours?: readonly string[];
}
interface ScheduleEntry {
  readonly cron: string;
  readonly timezone: string;
  readonly only?: readonly string[];
  /**
   * The treatment of missed occurrences. Default: `once` for playbooks that only read and `skip` for
   * those that write.
   */
  readonly missed?: 'skip' | 'once' | 'all';
  readonly overlap: 'skip' | 'queue';
  /** Maximum age of a missed occurrence that still runs. */
  readonly withinMs?: Millis;
  /** The maximum delay of a run that does not count as missed. */
  readonly lateMs?: Millis;
  /** Every occurrence is delayed by the same fraction of this, derived from the schedule's id. */
  readonly jitterMs?: Millis;
}
/** The content of a playbook's file when it was read. */
interface Included {
  /** Path relative to the working directory. */
  readonly file: string;
  readonly digest: string;
  readonly text: string;
}
interface Playbook {
  readonly name: string;
  readonly description?: string;
  /** The file as named on the command line, for messages. */
  readonly file: string;
  /** The whole text, so that a run can be resumed without the file. */
  readonly text: string;
  /** The sha256 of the text. */
  readonly digest: string;
  /** All nested playbooks at any depth, each once, sorted by file. */
  readonly includes: readonly Included[];
  readonly inputs: ReadonlyMap<string, InputDeclaration>;
  /** Values by name for everything below the inputs. */
  readonly let: ReadonlyMap<string, Named>;
  readonly account?: string;
  /** Maximum items of a for-each: the limit of its profile. */
  readonly itemsMax: number;
  readonly guards: Guards;
  readonly schedule: readonly ScheduleEntry[];
  readonly defaults: {
    readonly timeoutMs?: Millis;
    readonly attempts?: number;
  };
  /** Maximum concurrent independent steps; default 1. */
  readonly parallel: number;
  /** The steps in an order that satisfies `needs`, otherwise in that of the file. */
  readonly steps: readonly Step[];
  /** Whether only some steps of the playbook were selected. */
  readonly isPart?: true;
  readonly onFailure: readonly Step[];
  readonly finally: readonly Step[];
  readonly outputs: ReadonlyMap<string, Template>;
}
/** Something that a person should know, in addition to the journal and the result. */
interface Notice {
  readonly kind: 'notice';
  readonly level: 'warning' | 'info';
  /** The text of the notice; secrets are masked. */
  readonly message: string;
  /** The remedy that the reader has. */
  readonly help?: string;
  /** Warnings of a playbook at their locations. */
  readonly reasons?: readonly ErrorReason[];
}
/** How a run ends: the statuses of its last entry, of reports, metrics and schedules. */
declare const endStatuses: readonly ['done', 'stopped', 'doubt', 'interrupted'];
type EndStatus = (typeof endStatuses)[number];
declare const orphan: Schema<{
  readonly run: string;
  readonly address: string;
  readonly account?: string;
  readonly orderId: string;
  readonly clientOid: string;
  readonly symbol: string;
  readonly side: string;
  readonly size: string;
  readonly price: string;
}>;
/** An open order that its playbook does not contain anymore. */
type Orphan = Infer<typeof orphan>;
/** An action of a plan, or a line of a run: it may name its account. */
interface OnAccount {
  readonly account?: string;
}
/** An action the exchange refused, or that failed locally; nothing was executed. */
interface Refusal {
  readonly address: string;
  /** Profile of the action's account, in a run with several accounts; `what` ends with it. */
  readonly account?: string;
  readonly by: 'exchange' | 'deskhand';
  readonly what: string;
  /** The code of the exchange, or of deskhand; '' if none is recorded. */
  readonly code: string;
  readonly message: string;
  readonly clientOid?: string;
}
/** An action with an unknown outcome: every screen shows it in the order of these fields. */
interface Doubt {
  readonly address: string;
  /** Profile of the action's account, in a run with several accounts; `what` ends with it. */
  readonly account?: string;
  readonly kind: 'order' | 'sub-account' | 'other';
  readonly what: string;
  readonly clientOid?: string;
  /** The time when it was sent, as text. */
  readonly sent: string;
  /** Why the outcome is unknown; never the text of a failed read. */
  readonly because: string;
  /**
   * The rows that each list of the exchange showed and up to which exchange time, or how its read
   * failed.
   */
  readonly lists: readonly string[];
  /**
   * The way to settle the doubt: lists of the exchange, a resume that sets the state again, or only
   * a person.
   */
  readonly settledBy: 'lists' | 'resume' | 'person';
  /** The way to settle the doubt, in words. */
  readonly settles: string;
  /** When the last attempt was signed, by the exchange's clock; unknown for a lost machine. */
  readonly sentAt?: Millis;
  /** Attempts in this journal; a lost machine may have made others. */
  readonly attempts: number;
}
interface Assumption {
  /** Number in docs/no-order-twice.md, from 1. */
  readonly number: number;
  readonly statement: string;
  /**
   * The state of the assumption; `assumed`: documented by the exchange, but a program cannot test it safely.
   */
  readonly state: 'assumed' | 'proved' | 'open' | 'refuted';
  /** The evidence, or why there is none. */
  readonly because: string;
}
/** The assumptions of a run that places orders, for each of its accounts. */
interface Basis {
  readonly profile: string;
  readonly assumptions: readonly Assumption[];
  /** A warning for people if one of them is false, with the reason. */
  readonly warning?: {
    readonly text: string;
    readonly because: string;
  };
}
/** Values that are not of the type of their column, and how they were written instead. */
interface ColumnException {
  readonly column: string;
  /** `null` for each such value, or the whole column as text. */
  readonly written: 'null' | 'text';
  /** The number of rows with such a value. */
  readonly rows: number;
  /** The first row with such a value; rows are numbered from 1. */
  readonly first: {
    readonly row: number;
    readonly value: string;
  };
}
interface ReusedItemLine {
  readonly key: string;
  readonly run: string;
}
interface FileLine extends OnAccount {
  readonly step: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly pages: number;
  readonly sha256: string;
  /** The time range that the rows of the file cover. */
  readonly range?: {
    readonly from: Millis;
    readonly to: Millis;
  };
  /** Columns with values that are not of the column's type. */
  readonly exceptions?: readonly ColumnException[];
  readonly clamped?: {
    readonly asked: Millis;
    readonly from: Millis;
  };
  /** The rows that a run with `since: last` added to the file. */
  readonly continued?: {
    readonly from?: Millis;
    readonly added: number;
    readonly replaced: number;
    readonly gaps?: readonly {
      readonly from: Millis;
      readonly to: Millis;
    }[];
  };
}
interface RunReport {
  readonly version: 1;
  /** Id of the run: `r-…`. */
  readonly run: string;
  readonly playbook: {
    readonly name: string;
    readonly file: string;
  };
  /** Id of the saved plan that the run executed. */
  readonly plan?: string;
  readonly destination: Destination;
  /** Accounts, besides that of the run, that steps name. */
  readonly accounts?: readonly Destination[];
  readonly status: EndStatus;
  readonly exit: ExitCode;
  /** The status in one line, such as `stopped at step 3 of 5`. */
  readonly headline: string;
  /** The counts of actions, by status. */
  readonly tally: {
    readonly done: number;
    readonly refused: number;
    readonly inDoubt: number;
    readonly notSent: number;
  };
  readonly requests: number;
  readonly steps: readonly {
    readonly id: string; /** Profile of the action's account, in a run with several; absent if its items have several. */
    readonly account?: string;
    readonly uses: string; /** Status of the action: done, refused, failed, doubt, skipped, open or not-sent. */
    readonly status: string;
    readonly detail: string; /** The earlier run that did the step: it was not executed in this one. */
    readonly reused?: string; /** The items that an earlier run did: they were not executed in this one. */
    readonly reusedItems?: readonly ReusedItemLine[];
    readonly ms: number;
    readonly items: readonly {
      readonly address: string;
      readonly account?: string;
      readonly key: string;
      readonly state: string;
    }[];
  }[];
  /** Every order that was sent. */
  readonly orders: readonly {
    readonly address: string;
    readonly account?: string;
    readonly symbol: string;
    readonly side: string;
    readonly size: string;
    readonly price: string;
    readonly clientOid: string; /** Id that the exchange gave to the order; empty while none is known. */
    readonly orderId: string; /** State of the order: placed, or the state that a later read showed. */
    readonly state: string;
    readonly how: string;
  }[];
  /** The outputs of the playbook. */
  readonly outputs: Json;
  readonly files: readonly FileLine[];
  /** Usage of every limit in force. */
  readonly guards: readonly GuardResult[];
  /** The assumptions for each account of a run with orders. */
  readonly bases: readonly Basis[];
  /** Open orders of earlier runs that were no longer in the playbook. */
  readonly orphans?: readonly Orphan[];
  /** Requests with an unknown outcome. */
  readonly inDoubt: readonly Doubt[];
  readonly refused: readonly Refusal[];
  /** Suggested next commands. */
  readonly next: readonly string[];
}
interface Noted {
  /** Notices that a person should read in addition, such as a notification that was not sent. */
  readonly notices: readonly Notice[];
}
type RunOutcome = /** The run is done: every step is done, or was skipped as the playbook says. */(Noted & {
  readonly status: 'done';
  readonly exit: 0;
  readonly report: RunReport;
})
/**
 * The run started and stopped; every outcome is known. The report is absent if an error of this machine,
 * such as a full disk, ended the run: then the error is present.
 */
| (Noted & {
  readonly status: 'stopped';
  readonly exit: 1 | 2 | 3 | 4 | 5;
  readonly run: string;
  readonly report?: RunReport;
  readonly error?: DeskhandError;
})
/**
 * The outcome of at least one request is not known. Resume the run: it looks the request up, and sends it
 * again only if the request provably was not executed.
 */
| (Noted & {
  readonly status: 'doubt';
  readonly exit: 6;
  readonly run: string;
  readonly report?: RunReport;
  readonly error?: DeskhandError;
})
/**
 * The run was interrupted by its signal, or because its events were no longer read; resume it to continue.
 */
| (Noted & {
  readonly status: 'interrupted';
  readonly exit: 130; /** The id of the run; absent if it was interrupted before the start: nothing was sent. */
  readonly run?: string;
  readonly report?: RunReport;
})
/**
 * The run was not started, or not continued: nothing was sent now. The exit code is 6 if an earlier request
 * of the run is still in doubt.
 */
| (Noted & {
  readonly status: 'refused';
  readonly exit: ExitCode;
  readonly error: DeskhandError;
});
/** An event of a run: an entry of the journal, once it is on the disk, or a notice. */
type RunEvent = Entry | Notice;
/**
 * A run in progress. It runs whether or not its events are read. Leaving a loop over the events early, by
 * `break`, `return` or an error, stops the run in order; the program continues when the run has ended.
 */
interface RunInProgress extends AsyncIterable<RunEvent> {
  /** The outcome of the run. The promise never rejects: errors are outcomes. */
  readonly result: Promise<RunOutcome>;
  /** Stops the run in order, as aborting its signal does. @returns the result */
  stop(): Promise<RunOutcome>;
}
/** The result of a validation, as `deskhand validate -o json` prints it. */
interface Validation {
  /** Whether no file has an error; warnings do not count. */
  readonly isValid: boolean;
  /** Each validated playbook, and the playbooks it uses if they have problems. */
  readonly files: readonly {
    readonly file: string;
    readonly problems: readonly ValidationProblem[];
  }[];
}
interface ValidationProblem {
  /** Id of the rule, such as `PB203`; `deskhand explain` describes it. */
  readonly code: string;
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly hint?: string;
  /** The location of the problem; lines and columns start at 1. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}
/**
 * Validates playbooks offline, as `deskhand validate`.
 * @throws DeskhandError when a file or the configuration cannot be read
 */
declare function validate(options: ValidateOptions): Promise<Validation>;
/**
 * Reads the account and plans what a run would do, as `deskhand plan`; sends no writes. The plan is
 * JSON and saved in the state folder, where it can be approved.
 * @throws DeskhandError
 */
declare function plan(options: PlanOptions): Promise<Plan>;
/** Starts a plan or a playbook now, as `deskhand run`. */
declare function run$1(options: RunOptions): RunInProgress;
/** Continues a run now, as `deskhand resume`: it settles requests in doubt first. */
declare function resume(options: ResumeOptions): RunInProgress;
interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  integer(below: number): number;
}
/** A generator seeded by the operating system. */
declare function systemRandom(): Random;
/** A time range with inclusive bounds. */
interface TimeWindow {
  readonly start: Millis;
  readonly end: Millis;
}
/** One row of a list operation. */
type RowOf<N extends OperationName> = RowIn<AnswerOf<N>>;
type RowIn<O> = O extends readonly (infer R)[] ? R : O extends {
  readonly list: readonly (infer R)[];
} ? R : O extends {
  readonly bills: readonly (infer R)[];
} ? R : O extends {
  readonly entrustedList: readonly (infer R)[];
} ? R : never;
/** The fields that select one page. */
type Place = Readonly<Record<string, string>>;
/** The position where a walk continues. */
interface Bookmark {
  /** The current window, as cut; absent for an operation without times. */
  readonly window?: TimeWindow;
  readonly place: Place;
  /** Whether the page before was not full, so that this one may be the last. */
  readonly isEnd?: true;
  /** The window up to here was cut, because it had a full page: its rows come again. */
  readonly againUntil?: Millis;
}
type WalkedPage<N extends OperationName = OperationName> = PageOf<readonly RowOf<N>[]>;
interface PageOf<R> {
  /** The window of the page, as sent; absent for an operation without times. */
  readonly window?: TimeWindow;
  /** The number of the page: starts at 1, counted through all windows. */
  readonly page: number;
  /** The rows that were not on earlier pages. */
  readonly rows: R;
  /** The names of the rows; empty if they have none. */
  readonly names: readonly string[];
  /** Rows that were already on an earlier page and were dropped. */
  readonly duplicates: number;
  /** Whether the list, or its window, ends with this page. */
  readonly isLast: boolean;
  /** The position where the read continues; absent after the last page. */
  readonly next?: Bookmark;
}
interface WalkOptions {
  /** The exchange's clock; requested when absent. */
  readonly now?: Millis;
  readonly signal?: AbortSignal;
  readonly callOptions?: CallOptions;
  /** Continues an earlier read of the same input and the same `now`. */
  readonly from?: Bookmark;
  /** Names of the rows returned earlier, oldest first; only the newest matter. */
  readonly seen?: Iterable<string>;
  readonly pagesMax?: number;
}
/** One call's slot under a limit; it is released when the call's response has arrived. */
interface Slot {
  answered(): Promise<void>;
}
/** A slot, or the time until the next poll, or the response that may free a slot. */
type Turn = {
  readonly kind: 'go';
  readonly slot: Slot;
} | {
  readonly kind: 'wait';
  readonly ms: Millis;
} | {
  readonly kind: 'wait-for-answer';
  readonly answer: Promise<void>;
};
/**
 * The pace of calls under one limit: in memory for one process, or in a file for all processes of a
 * machine.
 */
interface Pace {
  /** Takes a turn if one is free. */
  take(signal?: AbortSignal): Promise<Turn>;
  /** Grants no turn for the next `ms`. */
  hold(ms: Millis): Promise<void>;
}
/** The envelope of every response. */
interface Envelope {
  readonly code: string;
  readonly msg: string;
  /** Unix milliseconds of the exchange's clock; only a success may come without it. */
  readonly requestTime?: Millis;
  /** A number that JavaScript would show with other digits is a text. */
  readonly data: Json;
  /** The data with rounded numbers. */
  readonly rounded: Json;
}
/** Encodes an input: the query of a GET in key order, the JSON body of a POST. */
declare function encode(name: OperationName, input: object): Omit<WireRequest, 'headers'>;
/**
 * Parses the envelope of a response.
 * @throws JsonError when it is not an envelope in strict JSON
 */
declare function decode({
  body
}: WireResponse): Envelope;
interface Limiter {
  /** Resolves when the call may be sent, in the order of requests. */
  acquire(operation: OperationName, options?: AcquireOptions): Promise<Slot>;
  /** Blocks the operation for a while after a rate limit response. */
  penalise(operation: OperationName, ms: Millis): Promise<void>;
}
interface AcquireOptions {
  readonly signal?: AbortSignal;
  readonly onWait?: (ms: Millis) => void;
}
interface LimiterOptions {
  readonly clock: Clock;
  /** Identifies accounts: a user id or a key's fingerprint, with its host. */
  readonly account?: string;
  /** Whether the key belongs to a copy-trading leader, with tighter limits. */
  readonly isLeader?: boolean;
  /**
   * A folder shared by all processes of this machine; without it each process counts separately.
   */
  readonly paceDir?: string;
  /**
   * Whether another machine may have used up every window until now: then nothing is sent for the
   * length of one window.
   */
  readonly startsFull?: boolean;
  /**
   * Records that several machines share: for limits by IP address, and for reads of an account.
   * Writes of an account come from one run at a time, which counts them here.
   */
  readonly paces?: (key: string, limit: Limit) => Pace;
}
/** Enforces the limits of the API strictly, in any sliding window. */
declare function createLimiter(options: LimiterOptions): Limiter;
interface Credentials$1 {
  readonly apiKey: Secret;
  /** The key's secret, or its RSA private key in PEM. */
  readonly secretKey: Secret;
  readonly passphrase: Secret;
}
interface ClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  /** The credentials; without them only public operations are possible. */
  readonly credentials?: Credentials$1;
  /** Language of the exchange's messages, `en-US` by default. */
  readonly locale?: string;
  /** The limiter. Default: one for this process only. */
  readonly limiter?: Limiter;
  /** The deadline of a call without its wait for a slot, default 30 s. */
  readonly timeoutMs?: Millis;
  /** The maximum attempts of a call, including the first, not counting rate limits; default 5. */
  readonly attempts?: number;
  /** Receives the events of calls without an observer. */
  readonly onEvent?: (event: CallEvent) => void;
  /** Whether the key is one of the exchange's demo trading. */
  readonly isDemo?: boolean;
  /** The account family of the key; operations of the other are refused before they are sent. */
  readonly family?: Family;
}
interface Client extends Exchange {
  /** Reads every page and window of a list. */
  pages<N extends OperationName>(name: N, input: object, options?: WalkOptions): AsyncGenerator<WalkedPage<N>>;
}
/**
 * A client of the exchange behind `transport`.
 * @throws ConfigError when a key or passphrase is invalid in a header
 */
declare function createClient(options: ClientOptions): Client;
interface Proxy {
  /** Scheme, host and port as displayed: `http://proxy.example:3128`. */
  readonly url: URL;
  /** The login `user:password`, if the proxy requires one. */
  readonly login?: Secret;
  /** The setting that names the proxy: `HTTPS_PROXY`, `profiles.main.proxy`. */
  readonly from: string;
}
interface HttpTransport {
  readonly transport: Transport;
  /** Closes all connections. */
  readonly close: () => Promise<void>;
}
interface HttpOptions {
  readonly baseUrl: string;
  /** Certificates of a private authority in PEM, trusted instead of those of the system. */
  readonly ca?: string;
  /**
   * The proxy: all connections are tunnels through it; the caller decides whether the environment's is
   * used.
   */
  readonly proxy?: Proxy;
  readonly clock?: Clock;
}
/**
 * A transport to one exchange. A connection is used again only within two seconds of a whole
 * response, with nothing pending on it: a write on a connection that its server closes meanwhile
 * would be in doubt. Redirects are never followed.
 * @throws ConfigError when the address is not https:// and not of this machine
 */
declare function httpTransport(options: HttpOptions): HttpTransport;
/** @throws InputError with all problems, when the input violates the API schema */
declare function checkInput<N extends OperationName>(name: N, input: unknown): asserts input is Input<N>;
/**
 * Checks that data is exactly as the interface declares it, except for new fields.
 * @throws AnswerError with the first deviation
 */
declare function checkOutput<N extends OperationName>(name: N, data: unknown): asserts data is Output<N>;
/**
 * All problems of an input.
 * @param options `by: 'exchange'` reports only the problems that an exchange refuses. A client also
 * refuses input that an exchange would misread: unknown fields, times in seconds, and times that no
 * calendar has.
 */
declare function inputProblems(name: OperationName, input: unknown, {
  by
}?: {
  readonly by?: 'client' | 'exchange';
}): InputProblem[];
/** Names of an operation's input fields. */
declare function fieldsOf(name: OperationName): readonly string[];
interface Reading {
  readonly exchange: Exchange;
  readonly options: CallOptions;
  /** The exchange's clock, for windows and the look-back. */
  readonly now: Millis;
}
interface WholeAnswer {
  readonly answer: Json;
  readonly calls: number;
  /** Rows of a list; absent for a response that is not a list. */
  readonly rows?: number;
  /** The time range that the rows cover; absent for an operation without times. */
  readonly range?: ReadRange;
}
/** The time range of a completed read; all bounds are included. */
interface ReadRange {
  readonly from: Millis;
  readonly to: Millis;
  /** The requested range, if it was not available completely. */
  readonly asked?: {
    readonly from: Millis;
    readonly to: Millis;
  };
}
/** The response of a read, with the rows of all its pages. @throws as `Exchange.call` does */
declare function readAll(operation: OperationName, input: JsonRecord, reading: Reading): Promise<WholeAnswer>;
interface SignedParts {
  /** The time of signing in Unix milliseconds, as in ACCESS-TIMESTAMP. */
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  /** The query as on the wire or decoded, without its question mark; '' for none. */
  readonly query: string;
  readonly body: string | Uint8Array;
}
/**
 * The signature in base64: HMAC-SHA256 with the secret, or RSA PKCS #1 v1.5 over SHA-256 when the
 * secret is a PEM private key.
 */
declare function signatureOf(parts: SignedParts, secret: Secret): string;
/** The signed bytes: timestamp, method, path, query with its question mark, body. */
declare function prehash(parts: SignedParts): Buffer;
/** Returns the text of a playbook by its relative path; undefined if it does not exist. */
type ReadIncluded = (file: string) => string | Uint8Array | undefined;
interface Loaded {
  /** Present if and only if no problem is an error. */
  readonly playbook?: Playbook;
  /** The problems, without duplicates: those of this file first, then by file and position. */
  readonly problems: readonly Problem[];
  /** The other files that the playbook uses, which may have problems. */
  readonly includes: readonly Included[];
}
/** Limits of the profile of a playbook's account. */
interface ProfileLimits {
  /** The guards of the profile: steps that they would block are reported. */
  readonly guards?: (account: string | undefined) => OuterGuards | undefined;
  /** Maximum items of a for-each; default 10,000, at most 100,000. */
  readonly itemsMax?: (account: string | undefined) => number;
}
interface Loading extends ProfileLimits {
  /** The source of nested playbooks; without it there are none. */
  readonly include?: ReadIncluded;
  /** Whether a run of the playbook started under the rules of `naming: 1`, which still apply to it. */
  readonly isBegun?: boolean;
  /** Whether a run of the playbook has started: what its version allowed is not refused. */
  readonly isResumed?: boolean;
  /** Called with the type of every path in an expression. */
  readonly onPath?: (seen: SeenPath) => void;
  /** Called with the type of the playbook's outputs. */
  readonly onOutputs?: (type: Type) => void;
}
/** Validates a playbook completely, offline: all problems at once. */
declare function loadPlaybook(text: string | Uint8Array, file: string, options?: Loading): Loaded;
interface FrameOptions {
  readonly color: boolean;
}
/** A validated file: its name, its text, its problems. */
interface CheckedFile {
  readonly file: string;
  readonly text: string;
  readonly problems: readonly Problem[];
}
/** One problem with file:line:col, an excerpt, a caret and a hint. */
declare function codeFrame(problem: Problem, text: string, options: FrameOptions): string;
/** All code frames and a line with their counts. */
declare function formatProblems(files: readonly CheckedFile[], options: FrameOptions): string;
declare function problemsAsJson(files: readonly CheckedFile[]): {
  readonly version: 1;
  readonly files: {
    file: string;
    problems: {
      code: `PB${number}`;
      level: "error" | "warning";
      message: string;
      hint?: string;
      line: number;
      column: number;
      endLine: number;
      endColumn: number;
    }[];
  }[];
};
interface InputIssue {
  /** The input's name as given or declared. */
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}
interface ResolvedInputs {
  readonly inputs: Readonly<Record<string, Value>>;
  readonly problems: readonly InputIssue[];
}
/** The constant time of a run, and its scheduled time, if any. */
interface RunTimes {
  readonly time?: Moment;
  readonly scheduledFor?: Moment;
}
/**
 * Texts (from `--var` or the environment) are parsed by the declared type; JSON is validated.
 * @param times those of the run, for defaults such as `{{ daysAgo 7 }}`
 */
declare function resolveInputs(playbook: Playbook, given: ReadonlyMap<string, Json | Value>, times?: RunTimes): ResolvedInputs;
/**
 * With `operations`, a step's `with` is described for each operation; the checker validates that
 * itself, except for the parts of reports.
 */
declare function playbookSchema({
  operations
}?: {
  operations?: boolean | undefined;
}): JsonSchema;
/**
 * The value of a header. A duplicate header is one text or, for a few that we never read, a list.
 */
type Header = string | readonly string[] | undefined;
interface RawRequest {
  readonly method: string;
  /** The path and query of the request, exactly as sent. */
  readonly target: string;
  /** The headers by name in lower case. */
  readonly headers: Readonly<Record<string, Header>>;
  readonly body: Uint8Array;
  /** The address of the sender, for limits and key allowlists. */
  readonly ip: string;
}
/** A response; its bytes are only created for a caller that does not send the text itself. */
declare class RawResponse implements WireResponse {
  readonly status: number;
  readonly headers: WireResponse['headers'];
  readonly text: string;
  constructor(status: number, headers: WireResponse['headers'], text: string);
  get body(): Buffer;
}
type BusinessTime = {
  readonly mode: 'frozen';
  readonly at: Millis;
} | {
  readonly mode: 'real' | 'accelerated'; /** The world's time at the moment when the clock starts. */
  readonly from: Millis; /** The machine's time at the moment when the clock starts. */
  readonly since: Millis; /** Milliseconds of the world for each millisecond of the machine; 1 when real. */
  readonly speed: number;
};
type TimeMode = BusinessTime['mode'];
declare const controlMethods: readonly ['GET', 'POST', 'PUT'];
type ControlMethod = (typeof controlMethods)[number];
type Delivery = {
  readonly kind: 'whole';
  readonly response: RawResponse;
} /** The response is compressed, although no request asks for it. */ | {
  readonly kind: 'packed';
  readonly response: RawResponse;
} /** The delivery is not decided yet: wait, then ask again. */ | {
  readonly kind: 'wait';
  readonly ms: Millis;
  readonly next: () => Delivery;
} /** The connection is reset. */ | {
  readonly kind: 'reset';
} /** The connection is closed without a response. */ | {
  readonly kind: 'empty';
} /** The connection stays open without data for this long. */ | {
  readonly kind: 'silence';
  readonly ms: Millis;
} /** The first half of the response arrives, then the connection is closed. */ | {
  readonly kind: 'half';
  readonly response: RawResponse;
} /** The response is sent one byte at a time. */ | {
  readonly kind: 'drip';
  readonly response: RawResponse;
  readonly everyMs: Millis;
};
/** Credentials of a client, and their account. */
interface Credentials {
  readonly uid: string;
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  readonly passphrase: Secret;
}
/** The keys of a new world. Their secrets protect nothing: they are derived from the seed. */
interface SandboxAccounts {
  /** A main account in one-way mode; also an agent with referred customers. */
  readonly oneway: Credentials;
  /** A main account in hedge mode; also an agent with referred customers. */
  readonly hedge: Credentials;
  /** A key of the same account for operations of unified accounts: the only one, if families are split. */
  readonly unified: Credentials;
  /** A read-only key of the first account. */
  readonly readonly: Credentials;
  /** A copy-trading leader who may lead BTCUSDT only. */
  readonly leader: Credentials;
  /** An agent with referred customers, who does not trade. */
  readonly agent: Credentials;
  /** A key of a virtual sub-account of the first account. */
  readonly sub: Credentials;
}
interface SandboxOptions {
  readonly clock: Clock;
  /** The seed of the world: another seed gives other prices, customers and history. Default: 1. */
  readonly seed?: number;
  /** The file of a world shared by processes; without it the world ends with this process. */
  readonly stateFile?: string;
  /**
   * Whether the world's time follows the clock (default), is frozen until it is advanced, or is
   * accelerated.
   */
  readonly time?: TimeMode;
  /** The factor of accelerated time. */
  readonly speed?: number;
  /** The world's start time; default: the current time. */
  readonly startAt?: Millis;
  /** Whether rate limits are enforced; default: true. */
  readonly limits?: boolean;
}
interface Sandbox {
  readonly clock: Clock;
  /**
   * A transport for clients in this process, through the same gateway as bytes from a socket,
   * including faults.
   */
  readonly transport: Transport;
  readonly accounts: SandboxAccounts;
  /** Identifies this world among those of the same file: a reset creates a new one. */
  readonly world: string;
  /** The world's time, which is `requestTime` in responses. */
  now(): Millis;
  /** Answers one request as an exchange without faults, as one commit. */
  handle(request: RawRequest): RawResponse;
  /** Answers a request, or leaves it unanswered, according to the fault rules. */
  deliver(request: RawRequest): Delivery;
  /**
   * Executes a request of the control interface, without HTTP.
   * @param path the part after `/_sandbox/`, as `clock/advance`
   * @throws Refusal when it cannot be executed
   */
  control(method: ControlMethod, path: string, fields?: object): unknown;
  /** Answers an HTTP request of the control interface. */
  controlResponse(request: RawRequest, token: string | undefined): RawResponse;
  close(): Promise<void>;
}
/**
 * Opens a sandbox: a new world, or that of a file. A file's world keeps its own seed, clock and
 * settings; the options only apply to a new one.
 * @throws DamagedError when the file cannot be read
 */
declare function openSandbox(options: SandboxOptions): Promise<Sandbox>;
interface ServerOptions {
  /** The address to listen on; default: loopback. */
  readonly host?: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** The bearer token of the control interface; without one it only answers loopback. */
  readonly token?: string;
  /**
   * The time limit for a request to arrive completely; its head has two thirds of it. Default: 15
   * s.
   */
  readonly patience?: Millis;
}
interface RunningServer {
  readonly baseUrl: string;
  readonly controlUrl: string;
  close(): Promise<void>;
}
/** Serves the sandbox until it is closed. Requests in progress are then aborted. */
declare function startServer(sandbox: Sandbox, options: ServerOptions): Promise<RunningServer>;
/**
 * Removes the world of a file; its next user creates a new one.
 * @returns the new path of a file that was not a world
 */
declare function forgetWorld(file: string): string | undefined;
export { type AccountKey, type Actor, AnswerError, type AnswerOf, type CallEvent, type CallOptions, type Client, type ClientOptions, type Clock, type Credentials, Credentials$1, DeskhandError, DoubtError, type Effect, type Entry, type ErrorClass, type ErrorReason, type ErrorRow, type Exchange, type ExitCode, type HttpTransport, type Input, InputError, type InputProblem, type Limit, type Limiter, type Loaded, type Notice, type Operation, type OperationName, type Output, type Page, type Plan, type PlanOptions, type Playbook, type Problem, RefusedError, type ResumeOptions, type RunEvent, type RunInProgress, type RunOptions, type RunOutcome, type RunReport, type RunningServer, type Sandbox, type SandboxAccounts, type SandboxOptions, Secret, type Sending, type ServerOptions, type StandingClock, type Step, type Transport, TransportError, UnavailableError, type ValidateOptions, type Validation, type ValidationProblem, type Window, type WireRequest, type WireResponse, checkInput, checkOutput, classOf, codeFrame, createClient, createLimiter, decode, encode, errorTable, exits, fieldsOf, forgetWorld, formatProblems, httpTransport, inputProblems, isOperation, loadPlaybook, openSandbox, operationNames, operationOf, operations$1 as operations, plan, playbookSchema, prehash, problemsAsJson, readAll, resolveInputs, resume, rules, run$1 as run, signatureOf, standingClock, startServer, successCode, systemClock, systemRandom, validate, verdictOf };