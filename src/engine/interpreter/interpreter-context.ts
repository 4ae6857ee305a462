/** The names, limits and stop signal that the interpreter has in addition to the engine. */
import { ConfigError } from '../../base/error.ts';
import type { Decisions, RunAttempt } from '../journal/decisions.ts';
import type { LetGo } from '../journal/asked-schema.ts';
import type { Destination, StepFailure } from '../journal/entry.ts';
import type { Write } from '../journal/possible.ts';
import type { ReusedStep } from '../journal/reused.ts';
import { profileOf } from '../plan/account.ts';
import type { Naming } from '../plan/naming.ts';
import type { Item } from '../plan/items.ts';
import type { LimitTracker } from '../plan/limit-tracker.ts';
import type { ReusedItems } from '../plan/reused-item.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import type { Scope } from '../../language/expression/value.ts';
import type { Durable } from './durable.ts';
import type { RunJobs } from './jobs.ts';

export interface InterpreterContext {
  readonly durable: Durable<RunJobs>;
  /** The playbook being interpreted. */
  readonly playbook: Playbook;
  /** The item that uses this playbook; '' for the run's own. */
  readonly within: string;
  /** The value of `run` in every scope. */
  readonly run: Scope['run'];
  readonly naming: Naming;
  /** The accounts of other profiles that steps name, as the plan opened them. */
  readonly accounts: ReadonlyMap<string, Destination>;
  /** The run's own account. */
  readonly own: Destination;
  /** The tracker to which limits of nested playbooks are added; effects check them. */
  readonly limits: Pick<LimitTracker, 'open'>;
  /** The action of each clientOid, by account and clientOid. */
  readonly names: Map<string, string>;
  /** The writes that earlier processes of this run sent without a known outcome, by step. */
  readonly sent: ReadonlyMap<string, readonly Write[]>;
  /** Steps that are not executed because an earlier run did them, by id. */
  readonly reused: ReadonlyMap<string, ReusedStep>;
  /** Items that are not executed because an earlier run did them. */
  readonly reusedItems: ReusedItems;
  /** The actions and decisions of earlier attempts of the run. */
  readonly decisions: Decisions;
  /** Items whose playbooks have ended, and the attempt that ended them. */
  readonly closed: Map<string, RunAttempt>;
  /** The attempt that ended this playbook. */
  readonly over?: RunAttempt;
  /** The attempt that decided how this step ends: its writes are looked up, and nothing is sent. */
  readonly decided?: RunAttempt;
  /** Why the run stopped, for a step of `on-failure`. */
  readonly failure?: StepFailure;
  /**
   * The effects that people approved, by the path of the `approve` step: later effects are compared
   * with them.
   */
  readonly approved: Map<string, readonly LetGo[]>;
  /** Whether nothing ends what follows, as all that an ended run recorded is read. */
  readonly isReading: boolean;
  /** Aborted by the first interrupt: nothing new starts. */
  readonly drain: AbortSignal;
}

/**
 * The context of an item's account.
 * @throws ConfigError for an account that the plan did not open: nothing is sent there
 */
export function contextFor(
  step: Step,
  item: Item,
  context: InterpreterContext,
): InterpreterContext {
  const profile = profileOf(step, item);
  if (profile === undefined || profile === context.naming.destination.profile) return context;
  const destination = profile === context.own.profile ? context.own : context.accounts.get(profile);
  if (destination === undefined) {
    throw new ConfigError(
      `${item.address}: the plan does not have account ${JSON.stringify(profile)}`,
      'set accounts from inputs, or from items that are known before the run',
    );
  }
  return { ...context, naming: { ...context.naming, destination } };
}

/** The engine key of an address: a child's keys are already below its own. */
export function keyOf(address: string, { within }: InterpreterContext): string {
  return within === '' ? address : address.slice(within.length + 1);
}
