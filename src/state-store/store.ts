/** Who has an account, and what runs did: on this machine, or in a place that outlives it. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import type { Destination, Entry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Owner } from '../lock/owner.ts';

/** A run that has accounts to itself, as other machines see it. */
export interface Claim {
  readonly run: string;
  readonly playbook: string;
  readonly plan?: string;
  /** Accounts it has, as `accountNames` names them, and how people call them. */
  readonly accounts: readonly {
    readonly id: string;
    /** The name of its key, where the account has an id. */
    readonly alias?: string;
    readonly profile: string;
  }[];
  /** Name of the machine, for people. */
  readonly host: string;
  /** Read by versions that know no owner: they take no claim of this one for their own. */
  readonly machine: string;
  /** The process that took it; absent in claims of older versions. */
  readonly owner?: Owner;
  /** Drawn for each time it is taken: only its holder continues. */
  readonly nonce: string;
  /** By the exchange's clock: nothing of it was signed before. */
  readonly since: Millis;
  /** By the exchange's clock: nothing of it is signed after, unless it is renewed. */
  readonly until: Millis;
  /** What an earlier holder may have sent without reporting it. */
  readonly before?: Unreported;
}

/** A time in which a machine may have sent what no one else knows of. */
export interface Unreported {
  readonly host: string;
  readonly since: Millis;
  readonly until: Millis;
}

/** Whoever wants accounts for a run. */
export interface Wanted {
  readonly run: string;
  readonly playbook: string;
  readonly plan?: string;
  readonly accounts: readonly Destination[];
  /** Whether a run continues that has begun already, here or elsewhere. */
  readonly isResumed: boolean;
  /** The exchange's clock. */
  readonly now: () => Promise<Millis>;
}

/** An open journal and what it says already. */
export interface Opened {
  readonly journal: Journal;
  readonly entries: readonly Entry[];
}

/** Accounts a run has to itself until it lets them go. */
export interface Hold {
  /**
   * The run's journal, with whatever must be known elsewhere before a write put in front of it.
   * An entry says what another machine may have done of this run, when one may have.
   */
  open(opened: Opened): Promise<Opened>;
  /** Reports how it ended and lets the accounts go. @throws StoreError when no one could be notified */
  release(): Promise<void>;
}

/** A person's statement that a process, or its machine, is gone permanently. */
export interface Unlocking {
  /** A run, or the name of a lock of the state folder. */
  readonly run: string;
  /** Of the claim that is mentioned; undefined when none was there to mention. */
  readonly nonce: string | undefined;
  readonly who: string;
  readonly comment: string;
  /** The run is not continued with: accounts are free, and what it sent stays unknown. */
  readonly givesUp: boolean;
  /** The exchange's clock: nothing of the run was signed after. */
  readonly now: Millis;
  /** The wall clock, for the record. */
  readonly at: Millis;
  /** Its machine was restarted and this is its state folder: the journal here holds all it did. */
  readonly isRestarted?: boolean;
}

export interface StateStore {
  /** Brings what other machines did into the state folder. @returns runs that hold an account */
  sync(): Promise<readonly Claim[]>;
  /**
   * Takes accounts for a run.
   * @throws StoreError when the store cannot be asked; LockedError, HeldError when they are taken
   */
  claim(wanted: Wanted): Promise<Hold>;
  /**
   * Takes a person's statement that the process of a run is gone, or that of a lock.
   * @throws UsageError when there is nothing to free; HeldError when another machine has taken the
   * run since; LockedError when the process is running on this machine
   */
  unlock(word: Unlocking): Promise<void>;
}

/** The store cannot be used: no one would know of what is sent. */
export class StoreError extends DeskhandError {
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { code: 'state', actor: 'operator', exit: exits.heldBack, hint, cause });
  }
}

/** Another machine has the account, or had it and never said how it ended; nothing was sent. */
export class HeldError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(`${message}; nothing was sent`, {
      code: 'locked',
      actor: 'operator',
      exit: exits.heldBack,
      hint,
    });
  }
}
