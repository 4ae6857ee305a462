/** The interface of state stores: claims on accounts, and runs, local or shared. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import type { Destination, Entry, Event } from '../engine/journal/entry.ts';
import type { FileOver, Journal } from '../engine/journal/journal.ts';
import type { AccountLock } from '../engine/journal/lock.ts';
import type { Owner } from '../base/lock/owner.ts';
import type { StateFiles } from './small-files.ts';
import type { Retention } from './removable.ts';
import type { HeldOutputs, OutputReader } from './outputs.ts';

/** A claim: a run with its accounts, as other machines see it. */
export interface Claim {
  readonly run: string;
  readonly playbook: string;
  readonly plan?: string;
  /** The accounts of the run, by their names in `accountNames`, with names for people. */
  readonly accounts: readonly {
    readonly id: string;
    /** The name of the account's key, if the account has an id. */
    readonly alias?: string;
    readonly profile: string;
  }[];
  /** Name of the machine, for people. */
  readonly host: string;
  /** A mark for versions without owners: they never consider a claim of this version theirs. */
  readonly machine: string;
  /** The process that made the claim; absent in claims of older versions. */
  readonly owner?: Owner;
  /** A random text for each claim: only its holder continues. */
  readonly nonce: string;
  /** The start of the claim by the exchange's clock: nothing was signed before. */
  readonly since: Millis;
  /** The end of the lease by the exchange's clock: nothing is signed after, unless it is renewed. */
  readonly until: Millis;
  /** The time in which an earlier holder may have sent writes without reporting them. */
  readonly before?: Unreported;
  /** Why the claim cannot be read, if so: then only its id, nonce and lease count. */
  readonly damage?: string;
}

/** A time in which a machine may have sent unknown writes. */
export interface Unreported {
  readonly host: string;
  readonly since: Millis;
  readonly until: Millis;
}

/** A request for the accounts of a run. */
export interface Wanted {
  readonly run: string;
  readonly playbook: string;
  readonly plan?: string;
  readonly accounts: readonly Destination[];
  /** Whether a started run is resumed, here or elsewhere. */
  readonly isResumed: boolean;
  /** Whether the run's process has other work, which a signal would end as well. Default: not known. */
  readonly isShared?: boolean;
  /** Reads the exchange's clock. */
  readonly now: () => Promise<Millis>;
  /** The start of the run by the exchange's clock: nothing of the run was signed before. */
  readonly observedAt: Millis;
}

/** An open journal and its entries. */
export interface Opened {
  readonly journal: Journal;
  readonly entries: readonly Entry[];
  /** The entry that a run without entries must record first; absent if it did nothing elsewhere. */
  readonly unreported?: TakenOver;
}

/** The entry about what others did, or may have done, in a run without recording it in the journal. */
export type TakenOver = Extract<Event, { readonly kind: 'taken-over' }>;

/** The claimed accounts of a run, until they are released. */
export interface Hold {
  /** What the store adds to the journal's file. Default: nothing. */
  readonly over?: FileOver;
  /** The signal that is aborted when another process may have taken the run. */
  readonly lost?: AbortSignal;
  /** Stores copies of the files of the run. Default: files stay in the workspace. */
  readonly outputs?: HeldOutputs;
  /**
   * Opens the run's journal, which first pushes what other machines must know before a write. It starts with
   * an entry about what another machine may have done in this run, if any.
   */
  open(opened: Opened): Promise<Opened>;
  /**
   * Reports the run's end and releases its accounts.
   * @throws StoreError when other machines could not be notified
   */
  release(): Promise<void>;
}

/** A person's confirmation that a process, or its machine, is gone permanently. */
export interface Unlocking {
  /** A run, or the name of a lock of the state folder. */
  readonly run: string;
  /** The nonce of the claim that the person confirmed; undefined if there was none. */
  readonly nonce: string | undefined;
  readonly who: string;
  readonly comment: string;
  /** Whether the run is abandoned: its accounts are released, and the outcomes of its writes stay unknown. */
  readonly givesUp: boolean;
  /** The time by the exchange's clock: nothing of the run was signed after it. */
  readonly now: Millis;
  /** The wall clock, for the record. */
  readonly at: Millis;
  /**
   * Whether the run's machine was restarted and this is its state folder: the local journal has everything it
   * did.
   */
  readonly isRestarted?: boolean;
}

/** The files, locks and clock with which the schedulers of several machines act as one. */
export interface Coordination {
  /** The files that the schedulers share, with relative paths. */
  readonly files: StateFiles;
  /** Takes a lock that one process at a time can have. @throws LockedError */
  readonly lock: (name: string, owner: string) => Promise<AccountLock>;
  /** A clock that all machines share. */
  readonly now: () => Promise<Millis>;
}

/** The work of other machines that a command needs. If it is empty, only claims are needed. */
export interface SyncScope {
  /** The id of the run; absent before it has one. */
  readonly run?: string;
  /** The other runs that the command depends on. */
  readonly beside?: Beside;
}

/** The newest runs that a list shows. */
export interface ListedRuns {
  readonly max: number;
  /** Only runs of this playbook. */
  readonly playbook?: string;
  /** Only runs that began since then, by the clocks of their machines. */
  readonly since?: Millis;
}

/** What a store says about runs that it has for a list. */
export interface Listing {
  readonly claims: readonly Claim[];
  /** The number of all runs for the list; absent if all of them were fetched. */
  readonly count?: number;
  /** Whether there are more runs than that number. */
  readonly hasMore?: boolean;
}

/** The runs that share an account with a run of a playbook. */
export interface Beside {
  readonly playbook: string;
  /** Names of the run's accounts and of their keys, as in `accountNames`; each account has an id. */
  readonly accounts: readonly string[];
}

export interface StateStore {
  /** What schedulers share; absent if the state folder of each machine decides alone. */
  readonly coordination?: Coordination;
  /** Reads copies of the files of runs. Default: there are none. */
  readonly outputs?: OutputReader;
  /** Removes records; absent if nothing is removed from this store. */
  readonly retention?: Retention;
  /**
   * Fetches what other machines did into the state folder.
   * @param scope the minimum that is fetched; default: everything
   * @returns runs with a claim, at least that of `scope.run`
   */
  sync(scope?: SyncScope): Promise<readonly Claim[]>;
  /** Fetches at least the newest runs, and those that have not ended. Absent: then all runs are fetched. */
  syncNewest?(wanted: ListedRuns): Promise<Listing>;
  /**
   * Claims accounts for a run.
   * @throws StoreError when the store is unreachable; LockedError, HeldError when they are claimed
   */
  claim(wanted: Wanted): Promise<Hold>;
  /**
   * Takes a person's statement that the process of a run is gone, or that of a lock.
   * @throws UsageError when there is nothing to free; HeldError when another machine has taken the
   * run since; LockedError when the process is running on this machine
   */
  unlock(word: Unlocking): Promise<void>;
}

/** The error when the store cannot be used: other machines would not know what is sent. */
export class StoreError extends DeskhandError {
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { code: 'state', actor: 'operator', exit: exits.heldBack, hint, cause });
  }
}

/** The error when the store gave no answer: it may later, without a change of the configuration. */
export class UnreachableError extends StoreError {}

/** The error when another machine has the account, or had it and did not report its end; nothing was sent. */
export class HeldError extends DeskhandError {
  /** Whether the block ends without a person's decision about this run. */
  readonly isPassing: boolean;
  /** The run that has the account, or had it and did not report its end. */
  readonly holder: string | undefined;

  constructor(message: string, hint: string, isPassing = false, holder?: string) {
    super(`${message}; nothing was sent`, {
      code: 'locked',
      actor: 'operator',
      exit: exits.heldBack,
      hint,
    });
    this.isPassing = isPassing;
    this.holder = holder;
  }
}

/** The error when another process has taken a run over while this one executed it. */
export class LostRunError extends HeldError {
  constructor(message: string, hint: string) {
    super(message, hint, true);
    this.message = message; // what this process sent is in the record of the run
  }
}
