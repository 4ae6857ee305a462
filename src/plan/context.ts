/** What planning works with, and what one planned action is. */
import type { ItemCount } from './items.ts';
import type { Millis } from '../base/clock.ts';
import type { Json } from '../base/json.ts';
import type { Exchange } from '../api/exchange.ts';
import type { OperationName } from '../api/operations/index.ts';
import type { TermsOf } from '../api/terms.ts';
import type { ProductType } from '../api/vocabulary.ts';
import type { Decisions, RunAttempt } from '../journal/decisions.ts';
import type { Address, Destination } from '../journal/entry.ts';
import type { Ledger, Unproved } from '../journal/ledger.ts';
import type { Value } from '../playbook/expression/value.ts';
import type { Account, OpenAccount } from './account.ts';
import type { Naming } from './naming.ts';
import type { LimitTracker } from './limit-tracker.ts';
import type { Observer } from './observe.ts';
import type { RecordedQuote, PlannedAction, PlannedStep } from './plan.ts';
import type { PlanProblems } from './problems.ts';
import type { Programs } from './programs.ts';
import type { Fresh, Recorded } from './recorded.ts';
import type { Trace } from './trace.ts';
import type { StepUses } from './uses.ts';

/** What steps need of the machine they run on. */
export interface Here {
  /** @throws ConfigError naming the secret when it is not set */
  readonly secret: (name: string) => string;
  /** Whether a program can be run, by its name or its path. */
  readonly hasProgram: (name: string) => boolean;
}

/** What planning works with, and what it counts on the way. */
export interface PlanContext {
  readonly naming: Naming;
  readonly exchange: Exchange;
  readonly observer: Observer;
  /** Trading rules that orders are checked against; absent if not known. */
  readonly terms?: TermsOf | undefined;
  readonly problems: PlanProblems;
  readonly ledger: Ledger;
  /** Writes that no one can tell were made on this account already. */
  readonly unproved: { readonly write: Unproved; readonly now: Destination }[];
  /** What the ledger knows the writes of this plan by. */
  readonly keys: Set<string>;
  /** What the run did and decided already, when it continues. */
  readonly decisions: Decisions;
  /** The attempt that decided that this playbook is over. */
  readonly over?: RunAttempt;
  /** The attempt that decided how this step ends. */
  readonly decided?: RunAttempt;
  readonly isOffline: boolean;
  readonly observedAt: Millis;
  readonly signal: AbortSignal;
  readonly limits: LimitTracker;
  readonly items: ItemCount;
  /** Other accounts met so far, by profile. */
  readonly accounts: Map<string, PlannedAccount>;
  readonly open: OpenAccount;
  readonly programs: Programs;
  /** Steps so far that start a program, by their places. */
  readonly programsBefore: Set<string>;
  /** What the machine a run is planned on has; absent where a plan is only looked at. */
  readonly here?: Here | undefined;
  readonly marks: Map<string, string>;
  /** What orders were checked against, by symbol. */
  readonly quotes: Map<string, RecordedQuote>;
  /** Symbols with an open position, by line and account. */
  readonly positions: Map<string, readonly string[]>;
  /** When the plan that is made again was first made: its writes may be there since. */
  readonly madeAt?: Millis;
  /** Requests the run will make, by operation. */
  readonly expected: Map<OperationName, number>;
  /** Steps so far that change something or take their time: reads after one are made by the run. */
  readonly pending: string[];
  /** What expressions use of answers, by step of the playbook that is planned. */
  readonly uses: StepUses;
  /** The same for every playbook met so far, by digest. */
  readonly usesByPlaybook: Map<string, StepUses>;
  /** Values that expressions use, of everything that was read. */
  readonly reads: Map<Address, Json>;
  /** Values that expressions use, of everything that only the run reads, as paths. */
  readonly readLater: Map<Address, readonly string[]>;
  /** Values of a run that is resumed, frozen by its plan. */
  readonly frozen: ReadonlyMap<Address, Json>;
  /** The plan that is made again: what it holds is used instead of what is read now. */
  readonly recorded?: Recorded | undefined;
  /** Takes down what expressions come to. */
  readonly trace?: Trace | undefined;
  /** Takes what is read now next to it; nothing is asked of the exchange when absent. */
  readonly fresh?: Fresh | undefined;
  /** Which action gives its order a clientOid, by account and clientOid. */
  readonly names: Map<string, Address>;
  /** Open orders the account has now, in each product type in which a step places some. */
  readonly openOrders: Map<ProductType, number>;
}

/** Another account, with what was read of it. */
export interface PlannedAccount extends Account {
  readonly observer: Observer;
}

/** An action as planned, and the answer it will have as far as that is known. */
export interface PlannedItem {
  readonly action: PlannedAction;
  readonly response: Value;
  /** An earlier attempt ended it as failed, or left it out: it brings nothing, and is not done. */
  readonly isOver?: true;
  /** Steps of the playbook the action uses. */
  readonly steps?: readonly PlannedStep[];
}
