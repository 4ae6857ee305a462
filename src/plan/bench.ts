/** What planning works with, and what one planned action is. */
import type { Millis } from '../base/clock.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { OperationName } from '../contract/operations/index.ts';
import type { TermsOf } from '../contract/terms.ts';
import type { FuturesLine } from '../contract/vocabulary.ts';
import type { Address } from '../journal/entry.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Replay } from '../journal/replay.ts';
import type { Value } from '../playbook/expression/value.ts';
import type { Account, OpenAccount } from './account.ts';
import type { Naming } from './call.ts';
import type { GuardBook } from './guards.ts';
import type { Observer } from './observe.ts';
import type { PlannedAction, PlannedStep } from './plan.ts';
import type { PlanProblems } from './problems.ts';
import type { Programs } from './programs.ts';

/** What planning works with, and what it counts on the way. */
export interface PlanningBench {
  readonly naming: Naming;
  readonly exchange: Exchange;
  readonly observer: Observer;
  /** What orders are held against; absent where nothing tells it. */
  readonly terms?: TermsOf | undefined;
  readonly problems: PlanProblems;
  readonly ledger: Ledger;
  /** What the run did already, when it goes on. */
  readonly proven: Replay;
  readonly isOffline: boolean;
  readonly observedAt: Millis;
  readonly signal: AbortSignal;
  readonly guards: GuardBook;
  /** Other accounts met so far, by profile. */
  readonly accounts: Map<string, PlannedAccount>;
  readonly open: OpenAccount;
  readonly programs: Programs;
  readonly marks: Map<string, string>;
  /** Symbols with an open position, by line. */
  readonly positions: Map<string, readonly string[]>;
  /** When the plan that is made again was first made: its writes may be there since. */
  readonly madeAt?: Millis;
  /** Requests the run will make, by operation. */
  readonly expected: Map<OperationName, number>;
  /** Steps so far that will change something. */
  readonly writes: string[];
  /** Which action gives its order a clientOid, by account and clientOid. */
  readonly names: Map<string, Address>;
  /** Open orders the account has now, in each line in which a step places some. */
  readonly openOrders: Map<FuturesLine, number>;
}

/** Another account, with what was read of it and counted against its limits. */
export interface PlannedAccount extends Account {
  readonly observer: Observer;
  readonly book: GuardBook;
}

/** An action as planned, and the answer it will have as far as that is known. */
export interface PlannedItem {
  readonly action: PlannedAction;
  readonly response: Value;
  /** Steps of the playbook the action uses. */
  readonly steps?: readonly PlannedStep[];
}
