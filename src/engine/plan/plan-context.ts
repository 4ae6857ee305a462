/** The environment of planning, and one planned action. */
import type { PlannedFiles } from './step-files.ts';
import type { ItemCount } from './items.ts';
import type { Millis } from '../../base/clock.ts';
import type { Json, JsonRecord } from '../../base/json.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { TermsOf } from '../../exchange/api/terms.ts';
import type { Decisions, RunAttempt } from '../journal/decisions.ts';
import type { ReusedStep } from '../journal/reused.ts';
import type { ReusedItems } from './reused-item.ts';
import type { Address, Destination } from '../journal/entry.ts';
import type { Ledger, Unproved } from '../journal/ledger.ts';
import type { Scope, Value } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { Account, OpenAccount } from './account.ts';
import type { Naming } from './naming.ts';
import type { LimitTracker } from './limit-tracker.ts';
import type { Observer } from './observe.ts';
import type { RecordedQuote, PlannedAction, PlannedStep } from './plan.ts';
import type { PlanProblems } from './problems.ts';
import type { Programs } from './programs.ts';
import type { PublicReads } from './public-reads.ts';
import type { Fresh, Recorded } from './recorded.ts';
import type { PlannedStates } from './planned-states.ts';
import type { Trace } from './trace.ts';
import type { DeferredRead, NotedOrder } from './unknown-order.ts';
import type { StepUses } from './uses.ts';

/** The secrets and programs that steps need from this machine. */
export interface Here {
  /** @throws ConfigError naming the secret when it is not set */
  readonly secret: (name: string) => string;
  /** Whether a program can be run, by name or path. */
  readonly hasProgram: (name: string) => boolean;
  /** Where a read with `since: last` continues, by the files of this machine. @throws ExportError */
  readonly continuationOf: (read: ContinuedRead) => Promise<PlannedContinuation>;
}

/** A read with `since: last` whose input is known. */
export interface ContinuedRead {
  readonly step: Step;
  readonly scope: Scope;
  readonly input: JsonRecord;
  readonly destination: Destination;
  /** The exchange's clock. */
  readonly now: Millis;
}

export interface PlannedContinuation {
  /** The first moment to read; the overlap is included. */
  readonly start: Millis;
  /** The first moment that no file covers; absent without files. */
  readonly from?: Millis;
  /** Ranges without rows that the exchange no longer keeps. */
  readonly gaps: readonly { readonly from: Millis; readonly to: Millis }[];
}

/** The environment of planning, and its counters. */
export interface PlanContext {
  readonly naming: Naming;
  readonly exchange: Exchange;
  readonly observer: Observer;
  /** Trading rules that orders are checked against; absent if not known. */
  readonly terms?: TermsOf | undefined;
  readonly ledger: Ledger;
  /** The run's own account, which a step within a playbook on another account may name again. */
  readonly own: AccountContext;
  /** Reads that do not depend on the account. */
  readonly publicReads: PublicReads;
  readonly problems: PlanProblems;
  /** Writes that may already have been made on this account. */
  readonly unproved: { readonly write: Unproved; readonly now: Destination }[];
  /** The states that earlier actions of the plan set. */
  readonly states: PlannedStates;
  /** The ledger keys of the plan's writes. */
  readonly keys: Set<string>;
  /** Steps that are not executed because an earlier run did them, by id. */
  readonly reused?: ReadonlyMap<string, ReusedStep>;
  /** Items that are not executed because an earlier run did them. */
  readonly reusedItems: ReusedItems;
  /** Whether the reads of the run are repeated, to compare them with the record. */
  readonly rereads?: true;
  /** The actions and decisions of the run, when it is resumed. */
  readonly decisions: Decisions;
  /** The attempt that ended this playbook. */
  readonly over?: RunAttempt;
  /** The attempt that decided how this step ends. */
  readonly decided?: RunAttempt;
  /**
   * Whether a failed read is left to the run: it began before, or an outer step continues after a
   * failure.
   */
  readonly mayFail?: true;
  readonly isOffline: boolean;
  readonly observedAt: Millis;
  readonly signal: AbortSignal;
  readonly limits: LimitTracker;
  readonly items: ItemCount;
  readonly files: PlannedFiles;
  /** Other accounts used until now, by profile. */
  readonly accounts: Map<string, PlannedAccount>;
  readonly open: OpenAccount;
  readonly programs: Programs;
  /** Earlier steps that start a program, by address. */
  readonly programsBefore: Set<string>;
  /** The secrets and programs of the planning machine; absent if a plan is only displayed. */
  readonly here?: Here | undefined;
  readonly marks: Map<string, string>;
  /** Quotes used to check orders, by symbol. */
  readonly quotes: Map<string, RecordedQuote>;
  /** Symbols with an open position, by product line and account. */
  readonly positions: Map<string, readonly string[]>;
  /** The time when the recomputed plan was first made: its writes may exist since. */
  readonly madeAt?: Millis;
  /** Requests the run will make, by operation. */
  readonly expected: Map<OperationName, number>;
  /** Earlier steps that change something or take time: the run makes the reads after one. */
  readonly pending: string[];
  /** The used parts of responses, by step of the planned playbook. */
  readonly uses: StepUses;
  /** The used parts of responses for every nested playbook, by digest. */
  readonly usesByPlaybook: Map<string, StepUses>;
  /** Values of reads that expressions use. */
  readonly reads: Map<Address, Json>;
  /** Values that expressions use and only the run reads, as paths. */
  readonly readLater: Map<Address, readonly string[]>;
  /** Values of a resumed run, frozen by its plan. */
  readonly frozen: ReadonlyMap<Address, Json>;
  /** The values of the recomputed plan, which are used instead of new reads. */
  readonly recorded?: Recorded | undefined;
  /** The record of the results of expressions. */
  readonly trace?: Trace | undefined;
  /** Records new reads for comparison; without it no requests are made. */
  readonly fresh?: Fresh | undefined;
  /** Orders whose value only the run knows. */
  readonly unknownOrders: NotedOrder[];
  /** Reads that only the run makes, by address and by step. */
  readonly deferredReads: Map<string, DeferredRead>;
  /** The action of each clientOid, by account and clientOid. */
  readonly names: Map<string, Address>;
  /** The number of open orders in each product line of an account in which a step places some. */
  readonly openOrders: Map<string, number>;
}

/** The part of the environment that belongs to an account. */
export type AccountContext = Pick<
  PlanContext,
  'naming' | 'exchange' | 'observer' | 'terms' | 'ledger'
>;

/** An account other than the run's, with the state read from it. */
export interface PlannedAccount extends Account {
  readonly observer: Observer;
}

/** A planned action, and its response as far as known. */
export interface PlannedItem {
  readonly action: PlannedAction;
  readonly response: Value;
  /**
   * Whether an earlier attempt ended the item as failed, or left it out: it has no result, and is not
   * executed.
   */
  readonly isOver?: true;
  /** Steps of the playbook used by the action. */
  readonly steps?: readonly PlannedStep[];
}
