/** A plan: what a run would do, what was read to say so, and a digest that binds them. */
import type { Millis } from '../base/clock.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../api/operations/index.ts';
import type { Address, Destination, GuardResult } from '../journal/entry.ts';
import type { FrozenRead } from '../journal/frozen.ts';
import type { Orphan } from '../journal/orphan.ts';
import type { Included } from '../playbook/playbook.ts';

/** How sure a line of the plan is. */
export type Confidence =
  | { readonly kind: 'read-just-now' }
  | { readonly kind: 'from-ledger'; readonly run: string }
  | { readonly kind: 'cannot-be-read-back' }
  /** Made offline, or read only while it runs. */
  | { readonly kind: 'not-read' }
  | { readonly kind: 'known-after'; readonly step: string };

/** What one action would do. */
export type Change =
  | { readonly kind: 'read'; readonly requests: number; readonly rows?: number }
  /** Nothing to do; `because` is the evidence. */
  | { readonly kind: 'none'; readonly because: string }
  | { readonly kind: 'create' }
  | { readonly kind: 'set' }
  | { readonly kind: 'local' }
  /** Tells another system something, or starts a program. */
  | { readonly kind: 'outbound' }
  | { readonly kind: 'skip'; readonly because: string }
  /** Its items are known only after another step. */
  | { readonly kind: 'later' };

export interface PlannedAction {
  readonly address: Address;
  readonly key?: string;
  /** Profile, when it is not the run's own. */
  readonly account?: string;
  readonly operation?: OperationName;
  readonly change: Change;
  readonly confidence?: Confidence;
  /** Input as it would be sent; what is not known yet is as `{ "known-after": step }`. */
  readonly input: Json;
  /** What a reader should know next to it. */
  readonly note?: string;
  /** For orders: the most it may be worth in the quote coin, the mark price, and the distance. */
  readonly order?: {
    readonly notional: string;
    readonly mark?: string;
    /** Signed ratio of price to mark minus one. */
    readonly distance?: string;
  };
}

export interface PlannedStep {
  readonly id: string;
  readonly uses: string;
  readonly name?: string;
  /** What it may do at the most, also where only the run will know. */
  readonly effect: 'read' | 'set' | 'keyed' | 'once' | 'local' | 'outbound';
  readonly actions: readonly PlannedAction[];
  /** The file a `write` makes, when it is known. */
  readonly file?: string;
}

/** Values that only the run will read, as paths into the answer of an action. */
export interface LaterRead {
  readonly address: Address;
  readonly values: readonly string[];
}

/** What orders of a symbol were checked against. */
export interface RecordedQuote {
  /** Its mark price; absent where it could not be believed. */
  readonly mark?: string;
  /** Best bid and ask, where an order's worth depends on them. */
  readonly bid?: string;
  readonly ask?: string;
  /** Why its market data was rejected. */
  readonly unpriced?: string;
  /** Most decimal places of its quotes, where nothing else tells how fine an order may be. */
  readonly places?: { readonly price: number; readonly size: number };
}

export interface Plan {
  readonly version: 2;
  /** `p-` and eight characters of the digest. */
  readonly id: string;
  /** Drawn for this plan, so that no two plans name the same writes. */
  readonly nonce: string;
  /** The run it may become; every write that is done once per run is named by it. */
  readonly run: string;
  /** Digest of the API of the exchange it was checked against. */
  readonly contract: string;
  /** Nothing was read for it: it can be looked at, and never run. */
  readonly isOffline: boolean;
  readonly playbook: {
    readonly name: string;
    readonly file: string;
    readonly digest: string;
    readonly text: string;
    /** Playbooks it uses. */
    readonly includes?: readonly Included[];
  };
  readonly destination: Destination;
  /** Other accounts that steps name. */
  readonly accounts?: readonly Destination[];
  /** Of these accounts, by profile, those whose lists do not show the orders placed on them. */
  readonly unlisted?: readonly string[];
  /** What is new about how an account is reached: a key, an address, an id. */
  readonly notes?: readonly string[];
  /** Resting orders of earlier runs that are no longer in the playbook; absent when there are none. */
  readonly orphans?: readonly Orphan[];
  /** Who wrote the playbook, by Git, and who made the plan: addresses in small letters. */
  readonly authors: readonly string[];
  /** The commit it was made at, in a repository. */
  readonly commit?: string;
  readonly inputs: Json;
  /** The scheduled time a run of this plan is for. */
  readonly scheduledFor?: Millis;
  /** The exchange's clock when the reads were made; `run.time` of a run of this plan. */
  readonly observedAt: Millis;
  /**
   * What was read before anything could change, as far as expressions use it: a run of this plan
   * evaluates with these values. Empty when the plan writes nothing.
   */
  readonly reads: readonly FrozenRead[];
  /** What expressions use that only the run reads, after its first write or wait; absent when none. */
  readonly readLater?: readonly LaterRead[];
  /** End of its validity, by the exchange's clock. */
  readonly expiresAt: Millis;
  readonly steps: readonly PlannedStep[];
  readonly totals: {
    readonly create: number;
    readonly set: number;
    readonly unchanged: number;
    /** Steps that may change something, and only the run will know what; absent when none. */
    readonly later?: number;
    /** Notices and programs; absent when none. */
    readonly outbound?: number;
    readonly requests: number;
    /** At the limits of the API. */
    readonly seconds: number;
    readonly orders: number;
    readonly notional: string;
    /** Signed distance of the order that is farthest from its mark, as a ratio. */
    readonly farthest?: string;
    /** Of the run's own account, in the lines in which it places orders. */
    readonly openOrdersAfter?: number;
  };
  readonly guards: readonly GuardResult[];
  /** Mark prices the plan was checked against, by symbol. */
  readonly marks: Readonly<Record<string, string>>;
  /** Trading rules of the orders, by symbol. */
  readonly quotes: Readonly<Record<string, RecordedQuote>>;
  /**
   * Symbols with an open position, by line: what a new leverage takes effect for. The line of
   * another account names its profile: `USDT-FUTURES of hedge`.
   */
  readonly positions: Readonly<Record<string, readonly string[]>>;
  /** sha256 over everything above but the id. */
  readonly digest: string;
}
