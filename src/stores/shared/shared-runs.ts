/** The interface of a database for runs that several machines share.
 *
 * Only the process that took a run last stores its journal lines: each take raises the epoch of the run, and
 * lines of an earlier epoch are refused. That alone prevents two writers. A lease only tells others when they
 * may take over.
 */
import type { Millis } from '../../base/clock.ts';
import type { Owner } from '../../base/lock/owner.ts';
import type { Beside, Claim } from '../store.ts';

/** Runs. Every method throws StoreError when the database gave no answer: then its effect is unknown. */
export interface SharedRuns {
  /**
   * Takes a run and all of its accounts, or reports who has them. An unfinished run of which no line was
   * stored has sent nothing and blocks no account, unless it was taken in an earlier incarnation: its lines
   * may be forgotten.
   */
  take(request: TakeRequest): Promise<Taken | Blocked>;
  /**
   * Stores lines durably and renews the lease. The same batch may be stored again, after a lost
   * answer.
   * @returns false when the run was taken by another, or the database is another one now
   */
  keep(holder: Holder, batch: Batch): Promise<boolean>;
  /** Renews the lease. @returns as `keep` */
  renew(holder: Holder): Promise<boolean>;
  /**
   * Records that the run has ended here, and frees its accounts.
   * @param summary stored together with that, if it was made from the record that the run has
   * @returns as `keep`
   */
  release(holder: Holder, summary?: Summary): Promise<boolean>;
  /**
   * Claims of runs that have accounts; a claim that cannot be read is marked. @param run only this one;
   * default: all
   */
  claims(run?: string): Promise<readonly SharedClaim[]>;
  /**
   * Runs with lines that are in progress, or ended since the cursor, and perhaps shortly before.
   * @param cursor of the last call; default: all runs
   * @param beside only runs with one of its accounts; default: all. Its playbook is not compared.
   */
  changed(cursor?: string, beside?: Beside): Promise<Changes>;
  /**
   * Selects the newest runs by their ends, and all runs in progress, with lines. Absent from a database that
   * cannot: then all runs are fetched for a list.
   */
  newest?(asked: NewestAsked): Promise<Newest>;
  /**
   * Whether each account of every run of a playbook has an id: then only runs with a common account
   * can have made the same write.
   */
  isIdentified(playbook: string): Promise<boolean>;
  /** The summaries of one version that were made from the present records of some runs. */
  summaries(runs: readonly string[], version: number): Promise<readonly SummaryOfRun[]>;
  /** Stores the summary of a run that has ended, if it was made from the record that the run has. */
  summarize(run: string, summary: Summary): Promise<void>;
  /** The lines of a run after the first `after` lines; undefined if the run has none at all. */
  lines(run: string, after: number): Promise<RunLines | undefined>;
  /**
   * Ends the lease of a claim as a person confirmed it, so that its process stores nothing more.
   * @param givesUp its accounts are released, too
   * @returns false when it is not the current claim
   */
  unlock(run: string, nonce: string, givesUp: boolean): Promise<boolean>;
  /**
   * Records that the database has forgotten lines it had confirmed: from now on it counts as another one.
   * @param now the exchange's clock
   */
  restored(now: Millis): Promise<void>;
  close(): Promise<void>;
}

export interface TakeRequest {
  readonly run: string;
  readonly playbook: string;
  readonly plan?: string;
  readonly accounts: Claim['accounts'];
  /** Name of the machine, for people. */
  readonly host: string;
  readonly owner: Owner;
  readonly nonce: string;
  readonly lease: Millis;
  readonly isResumed: boolean;
  /** The time by the exchange's clock. */
  readonly now: Millis;
}

/** The holder of a run, which may store its lines: nobody else may until the run is taken again. */
export interface Holder {
  readonly run: string;
  readonly epoch: number;
  /** Identifies the database, and which of its histories it has. */
  readonly incarnation: string;
  readonly lease: Millis;
}

export interface Taken {
  readonly kind: 'taken';
  readonly holder: Holder;
  /** The last holder, if it did not release the run. */
  readonly before?: LastHolder;
  /** The lines that the database may have lost; absent if it never lost any that it had confirmed. */
  readonly forgot?: Forgot;
}

export interface LastHolder {
  readonly host: string;
  readonly since: Millis;
  /**
   * Whether lines that were reported to this holder as stored may be missing. Default: the database has all
   * of them.
   */
  readonly isIncomplete?: true;
}

/** A loss: the database was replaced by a copy that may lack its last lines. */
export interface Forgot {
  /** The time up to which everything recorded is stored, by the exchange's clock. */
  readonly since: Millis;
  /** The time when the copy was first used, by the exchange's clock. */
  readonly until: Millis;
  /** Whether the run has lines that were stored after the loss. */
  readonly isContinued: boolean;
}

export type Blocked =
  /** A process whose lease lasts has the run itself, or one of the accounts. */
  | { readonly kind: 'running'; readonly claim: SharedClaim }
  /** Another run has one of the accounts, and its process did not report its end. */
  | { readonly kind: 'unfinished'; readonly claim: SharedClaim }
  /** The run is to be resumed, and its records were removed. */
  | { readonly kind: 'pruned'; readonly run: string }
  /** The run was started, or its plan was. */
  | { readonly kind: 'used'; readonly run: string; readonly claim?: SharedClaim };

/** A claim with the rest of its lease by the database's clock; negative when it is over. */
export type SharedClaim = Omit<Claim, 'until' | 'before' | 'machine'> & {
  readonly left: Millis;
};

export interface Batch {
  /** The header in the run's folder. */
  readonly header: string;
  /** Number of lines stored before the batch. */
  readonly after: number;
  /** The rows of the batch in order; never empty. */
  readonly rows: readonly LineRow[];
  /** The link of the batch's last line. */
  readonly link: string;
}

/** Consecutive lines of a journal in one row. */
export interface LineRow {
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** The summary of a run (run-summary.ts), and the end of the record that it was made from. */
export interface Summary {
  readonly version: number;
  /** Number of lines. */
  readonly lines: number;
  /** The link of the last line. */
  readonly link: string;
  readonly text: string;
}

export interface SummaryOfRun {
  readonly run: string;
  readonly text: string;
}

export interface Changes {
  readonly runs: readonly { readonly run: string; readonly lines: number; readonly link: string }[];
  readonly cursor: string;
}

export interface NewestAsked {
  /** The number of ended runs. */
  readonly max: number;
  readonly playbook?: string;
  readonly endedSince?: Millis;
}

export interface Newest {
  /** The runs, with their beginnings by the exchange's clock, and their ends by the database's; null: in progress. */
  readonly runs: readonly (Changes['runs'][number] & {
    readonly since: Millis;
    readonly ended: Millis | null;
  })[];
  /** The number of runs that were asked about, also of older ones; more of them if `hasMore`. */
  readonly count: number;
  readonly hasMore: boolean;
}

export interface RunLines {
  readonly header: string;
  /** Number of all lines of the run. */
  readonly count: number;
  /** The link of the last line. */
  readonly link: string;
  /** The lines after the requested number. */
  readonly text: string;
}
