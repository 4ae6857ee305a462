/** What a journal says: the events of one run, enough to resume it and to draw every paper. */
import type { Millis } from '../base/clock.ts';
import type { ExitCode } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../contract/operations/index.ts';
import type { Bookmark } from '../contract/progress.ts';

/** Both bounds belong to it. */
export interface Span {
  readonly from: Millis;
  readonly to: Millis;
}

/** What a file held at a moment. */
interface Mark {
  readonly bytes: number;
  readonly crc: number;
}

/** A step, or one item of a for-each step: `ladder[61500.0]`. */
export type Address = string;

/** How the exchange's word on a write was obtained. */
export type Evidence = 'answered' | 'looked-up' | 'from-ledger' | 'by-person';

/** Whose word settles what the exchange's could not; when is the entry's own time. */
export interface PersonsWord {
  /** Their name on this machine. */
  readonly who: string;
  readonly comment?: string;
}

/** The step within, when a playbook that a step uses ended as one of its own steps did. */
export interface Within {
  readonly step: string;
  readonly address: Address;
}

/** How one action ended; JSON. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly output: Json;
      readonly evidence: Evidence;
      readonly person?: PersonsWord;
    }
  /** With a person it may or may not have happened, and stays undone here. */
  | { readonly kind: 'skipped'; readonly because: string; readonly person?: PersonsWord }
  /** The exchange said no; nothing happened. */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly exit: ExitCode;
      readonly at?: Within;
    }
  /** It failed here, with proof that nothing was executed; with a person it may be sent again. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly exit: ExitCode;
      readonly person?: PersonsWord;
      readonly at?: Within;
    }
  /** It may or may not have happened. */
  | { readonly kind: 'doubt'; readonly because: string; readonly at?: Within };

export type StepStatus = 'done' | 'skipped' | 'refused' | 'failed' | 'doubt' | 'interrupted';

/** Where a run goes to and by whom; never a key, a secret or a passphrase. */
export interface Destination {
  readonly profile: string;
  readonly target: 'sandbox' | 'live';
  /** Host the requests go to; `in-process-…` and its world for the embedded sandbox. */
  readonly host: string;
  /** First 8 hex digits of the key's sha256; absent when there is no key. */
  readonly keyFingerprint?: string;
}

/** Somebody's signed word for a plan. */
export interface Approval {
  /** Their name among the allowed signers. */
  readonly who: string;
  /** Fingerprint of the key it was signed with. */
  readonly key: string;
  readonly at: Millis;
}

/** A limit, and what of it was used. */
export interface GuardResult {
  readonly guard: string;
  readonly limit: string;
  readonly used: string;
  readonly isKept: boolean;
  /** What broke it first; '' while it is kept. */
  readonly message: string;
}

/** Whether the lists of an account show what is placed on it: learned by looking one order up. */
export interface Visibility {
  /** The account, as its lock is named. */
  readonly account: string;
  readonly profile: string;
  readonly orders: 'listed' | 'unlisted' | 'unknown';
  /** The order it was learned of, and the run that placed it: this one or an earlier one. */
  readonly order: {
    readonly run: string;
    readonly address: Address;
    readonly clientOid: string;
    readonly orderId?: string;
  };
  /** The exchange's clock when it was learned. */
  readonly time: Millis;
  /** What was looked at in vain, or why nothing could be. */
  readonly because?: string;
}

export type Event =
  | {
      readonly kind: 'started';
      readonly run: string;
      readonly playbook: {
        readonly name: string;
        readonly file: string;
        readonly digest: string;
        readonly text: string;
        /** Playbooks it uses: a run is resumed with the texts it began with. */
        readonly includes?: readonly {
          readonly file: string;
          readonly digest: string;
          readonly text: string;
        }[];
      };
      readonly destination: Destination;
      /** Other accounts that steps name. */
      readonly accounts?: readonly Destination[];
      readonly plan?: string;
      /** The commit the plan was made at, in a repository. */
      readonly commit?: string;
      /** Whose signed word the plan has. */
      readonly approvals?: readonly Approval[];
      readonly inputs: Json;
      /** The frozen time of the run, by the exchange's clock. */
      readonly time: Millis;
      /** The time of its schedule the run is for, if it is for one. */
      readonly scheduledFor?: Millis;
      readonly program: string;
      readonly steps: readonly {
        readonly id: string;
        readonly uses: string;
        readonly name?: string;
        readonly line: number;
      }[];
    }
  | { readonly kind: 'resumed' }
  /**
   * Another machine had the run and never reported back: every keyed write that is not settled
   * before this may have been signed there between two moments of the exchange's clock. Of the
   * `once` writes it may have sent, each intent stands before this.
   */
  | {
      readonly kind: 'taken-over';
      readonly host: string;
      readonly since: Millis;
      readonly until: Millis;
    }
  /** A step begins. `items` are the keys of a for-each; absent for a single action. */
  | {
      readonly kind: 'opened';
      readonly step: string;
      /** What it does, for a step that `started` does not list. */
      readonly uses?: string;
      readonly items?: readonly string[];
    }
  | {
      readonly kind: 'intended';
      readonly address: Address;
      readonly operation: OperationName;
      readonly input: Json;
      /** What names this action for ever; digest of its content for `once-per: playbook`. */
      readonly identity: string;
      readonly attempt: number;
      readonly signedAt: Millis;
      /** Signed, if at all, on another machine, at some time from this one on. */
      readonly since?: Millis;
      /** Digest of what was asked: an address stands for one thing in a run. */
      readonly of?: string;
    }
  | {
      readonly kind: 'settled';
      readonly address: Address;
      readonly outcome: Outcome;
      /** Digest of what was asked; none on a person's word. */
      readonly of?: string;
    }
  /** The exchange's time when a wait began: it ends at the same moment however often it is resumed. */
  | { readonly kind: 'clock'; readonly address: Address; readonly time: Millis }
  | ({ readonly kind: 'visibility' } & Visibility)
  /** Somebody told the run something it may wait for. */
  | { readonly kind: 'signalled'; readonly name: string; readonly payload: Json }
  /** A wait worth telling: for a slot of the limit, or before another attempt. */
  | {
      readonly kind: 'waited';
      readonly address: Address;
      readonly operation: OperationName;
      readonly why: 'limit' | 'retry' | 'poll' | 'look-up';
      readonly ms: Millis;
      readonly because?: string;
    }
  | {
      readonly kind: 'answered';
      readonly address: Address;
      readonly operation: OperationName;
      readonly attempt: number;
      readonly ms: Millis;
      readonly status: number;
      readonly code: string;
      /** So many answers alike, told together; `ms` is the time to all of them. */
      readonly count?: number;
    }
  /** An export begins to read. */
  | {
      readonly kind: 'reading';
      readonly address: Address;
      readonly operation: OperationName;
      readonly file: string;
      /** The exchange's clock, which its windows are counted from, also when it is resumed. */
      readonly time: Millis;
      /** Absent where the operation has no times. */
      readonly asked?: Span;
      /** Rows of the earlier export that stands under this name. */
      readonly replaces?: number;
    }
  /** The rows of an export are kept up to this page. Counts are of all its pages so far. */
  | {
      readonly kind: 'paged';
      readonly address: Address;
      readonly page: number;
      readonly rows: number;
      readonly duplicates: number;
      /** The window that was sent. */
      readonly window?: Span;
      /** The window has no more pages. */
      readonly isLast?: true;
      /** Time of the oldest row of the page. */
      readonly reached?: Millis;
      /** Columns that were not seen before: no row kept at the last mark has them. */
      readonly columns?: readonly string[];
      /** Where it goes on; absent after the last page. */
      readonly next?: Bookmark;
      /** Length and checksum of the kept rows, and of their names. */
      readonly kept: Mark & { readonly names: Mark };
    }
  /** An expectation that did not hold. */
  | {
      readonly kind: 'unmet';
      readonly address: Address;
      readonly level: 'error' | 'warn';
      readonly message: string;
      readonly line: number;
    }
  | {
      readonly kind: 'wrote';
      readonly step: string;
      readonly file: string;
      readonly rows: number;
      readonly bytes: number;
      readonly sha256: string;
      readonly pages: number;
      /** What was asked beyond the look-back, and where the data begins instead. */
      readonly clamped?: { readonly asked: Millis; readonly from: Millis };
      /** Rows of the earlier export that it took the place of. */
      readonly replaces?: number;
    }
  | {
      readonly kind: 'closed';
      readonly step: string;
      readonly status: StepStatus;
      readonly because?: string;
      /** What to do about it. */
      readonly hint?: string;
      /** The step it needs that was not done: so it was not begun. */
      readonly missing?: string;
    }
  | {
      readonly kind: 'finished';
      readonly status: 'done' | 'stopped' | 'doubt' | 'interrupted';
      readonly exit: ExitCode;
      readonly outputs: Json;
      /** What was used of every limit in force. */
      readonly guards?: readonly GuardResult[];
    };

/** An event with its place in the journal. `at` is the machine's wall clock. */
export type Entry = Event & { readonly seq: number; readonly at: Millis };
