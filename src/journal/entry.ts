/** The events of one run: enough to resume it and to render every report. */
import type { Millis } from '../base/clock.ts';
import type { ExitCode } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../api/operations/index.ts';
import type { Bookmark } from '../api/progress.ts';
import type { FrozenRead } from './frozen.ts';
import type { Destination } from './account.ts';
import type { Orphan } from './orphan.ts';
import type { Outcome } from './outcome.ts';
import type { Write } from './possible.ts';
import type { RecordedVisibility } from './visible.ts';

export type { Destination } from './account.ts';
export type { Evidence, Outcome, PersonsWord } from './outcome.ts';

/** Both bounds belong to it. */
export interface TimeRange {
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

/** Why a run stopped, as `on-failure` sees it. */
export interface StepFailure {
  readonly step: string;
  readonly code: string;
  readonly message: string;
}

export type StepStatus = 'done' | 'skipped' | 'refused' | 'failed' | 'doubt' | 'interrupted';

/** Someone's signed approval for a plan. */
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
      /** Approvals of the plan. */
      readonly approvals?: readonly Approval[];
      readonly inputs: Json;
      readonly reads?: readonly FrozenRead[]; // of its plan
      /** Resting orders of earlier runs that are no longer in the playbook, when it began. */
      readonly orphans?: readonly Orphan[];
      /** The frozen time of the run, by the exchange's clock. */
      readonly time: Millis;
      /** The scheduled time the run is for, if it is for one. */
      readonly scheduledFor?: Millis;
      readonly program: string;
      /**
       * It took something into the ledger that was made outside, and sent nothing: whether the playbook
       * names the clientOid itself.
       */
      readonly imported?: 'named' | 'unnamed';
      /** How its writes are named: 2 by their content in one form; 1 when absent, as written. */
      readonly naming?: 2;
      readonly steps: readonly {
        readonly id: string;
        readonly uses: string;
        readonly name?: string;
        readonly line: number;
      }[];
    }
  /** It continues; `accounts` are reached by other keys or addresses than before. */
  | { readonly kind: 'resumed'; readonly accounts?: readonly Destination[] }
  /**
   * Another machine had the run and did not report its end. It may have signed writes between two
   * moments of the exchange's clock: those that have an intent before this entry when they are
   * listed, else any keyed one that is not settled before it.
   */
  | {
      readonly kind: 'taken-over';
      readonly host: string;
      readonly since: Millis;
      readonly until: Millis;
      readonly isListed?: true;
    }
  /** A step begins. `items` are the keys of a for-each; absent for a single action. */
  | {
      readonly kind: 'opened';
      readonly step: string;
      /** What it does, for a step that `started` does not list. */
      readonly uses?: string;
      readonly items?: readonly string[];
      /** All writes it may send; absent for a step that sends nothing itself. */
      readonly writes?: readonly Write[];
      /** What the run stopped for, as a step of `on-failure` sees it. */
      readonly failure?: StepFailure;
    }
  /** Written before a write leaves; one with `since` represents what another machine may have sent. */
  | ({
      readonly kind: 'intended';
      readonly attempt: number;
      readonly signedAt: Millis;
      /** Signed, if at all, on another machine, at some time from this one on. */
      readonly since?: Millis;
      /** Mark price of its limit check; absent where no limit asked for it. */
      readonly mark?: string;
      /** The most it may be worth in dollars, as the limits counted it. */
      readonly worth?: string;
      /** Digest of the request: an address represents one thing in a run. */
      readonly of?: string;
    } & Write)
  | {
      readonly kind: 'settled';
      readonly address: Address;
      readonly outcome: Outcome;
      /** Digest of the request; none on a person's statement. */
      readonly of?: string;
    }
  /** The exchange's time when a wait began: it ends at the same moment however often it is resumed. */
  | {
      readonly kind: 'clock';
      readonly address: Address;
      readonly time: Millis;
      /** How long is waited from then on; absent where nothing is waited for. */
      readonly ms?: Millis;
    }
  | ({ readonly kind: 'visibility' } & RecordedVisibility)
  /** While something was looked up, an answer's time was so far ahead of another's. */
  | { readonly kind: 'clock-outlier'; readonly address: Address; readonly ms: Millis }
  /** A signal that the run may wait for. */
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
      /** Number of identical responses in this entry; `ms` is the time to all of them. */
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
      readonly asked?: TimeRange;
      /** Rows of the earlier export that is under this name. */
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
      readonly window?: TimeRange;
      /** The window has no more pages. */
      readonly isLast?: true;
      /** Time of the oldest row of the page. */
      readonly reached?: Millis;
      /** Columns that were not seen before: no row kept at the last mark has them. */
      readonly columns?: readonly string[];
      /** Where it continues; absent after the last page. */
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
      /** It failed and the run continues, by `on-error: continue`. */
      readonly continues?: true;
    }
  | {
      readonly kind: 'finished';
      readonly status: 'done' | 'stopped' | 'doubt' | 'interrupted';
      readonly exit: ExitCode;
      readonly outputs: Json;
      /** Usage of every limit in force. */
      readonly guards?: readonly GuardResult[];
    };

/** An event with its place in the journal. `at` is the machine's wall clock. */
export type Entry = Event & { readonly seq: number; readonly at: Millis };
