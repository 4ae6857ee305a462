/** The interpreter: walks a validated playbook on an engine, and uses nothing else. */
import type { Millis } from '../../base/clock.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { Decisions } from '../journal/decisions.ts';
import type { Destination } from '../journal/entry.ts';
import type { Reused } from '../journal/reused.ts';
import type { Beginning } from '../plan/naming.ts';
import type { LimitTracker } from '../plan/limit-tracker.ts';
import { reusedItems } from '../plan/reused-item.ts';
import { reusedById } from '../plan/reused-step.ts';
import { firstScope } from '../plan/scope.ts';
import type { Value } from '../../language/expression/value.ts';
import { renewEffort, stepsOf } from '../../language/expressions.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { InterpreterContext } from './interpreter-context.ts';
import type { Body, Durable } from './durable.ts';
import type { RunJobs } from './jobs.ts';
import { runNested } from './nested.ts';
import type { Walked } from './outcome.ts';
import { outputsOf } from './playbook-outputs.ts';
import { drive } from './routine.ts';
import { walk } from './walk.ts';
import type { EndStatus } from '../journal/end-status.ts';

export interface Interpretation {
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly runId: string;
  readonly destination: Destination;
  /** The constant time of the run, by the exchange's clock. */
  readonly time: Millis;
  /** The scheduled time of the run, if any. */
  readonly scheduledFor?: Millis | undefined;
  /** Accounts of other profiles used by steps. */
  readonly accounts: readonly { readonly destination: Destination }[];
  /** How the run named its writes when it started; absent for a new run. */
  readonly began?: Beginning | undefined;
  /** The tracker in which limits of nested playbooks are opened. */
  readonly limits: Pick<LimitTracker, 'open'>;
  /** The writes that earlier processes of this run sent without a known outcome, by step. */
  readonly sent: InterpreterContext['sent'];
  /** The steps that an earlier run did; default: none. */
  readonly reused?: Reused | undefined;
  /** The actions and decisions of earlier attempts of the run. */
  readonly decisions: Decisions;
  /** Whether nothing ends what follows, as all that an ended run recorded is read; default: no. */
  readonly isReading?: boolean;
  readonly drain: AbortSignal;
}

export interface RunResult {
  readonly status: EndStatus;
  readonly exit: ExitCode;
  readonly outputs: Json;
}

/** The body of a run, and of nested playbooks. */
export interface Interpreter {
  readonly main: (durable: Durable<RunJobs>) => Promise<RunResult>;
  /** The walk of the run's playbook, which `main` sums up. */
  readonly walk: (durable: Durable<RunJobs>) => Promise<Walked>;
  readonly child: Body<RunJobs>;
}

export function interpreterOf(options: Interpretation): Interpreter {
  const { playbook, runId, inputs, time, scheduledFor, drain } = options;
  const scope = firstScope(inputs, { id: runId, playbook: playbook.name, time, scheduledFor });
  const accounts = new Map(
    options.accounts.map(({ destination }) => [destination.profile, destination]),
  );
  const names: InterpreterContext['names'] = new Map();
  const closed: InterpreterContext['closed'] = new Map();
  const approved: InterpreterContext['approved'] = new Map();
  const playbooks = new Map(usedBy(playbook).map((used) => [used.file, used]));
  const { began, destination } = options;
  const naming = { playbook: playbook.name, destination, run: runId, ...(began && { began }) };
  const deskOn = (durable: Durable<RunJobs>): InterpreterContext => ({
    durable,
    playbook,
    within: '',
    run: scope.run,
    naming,
    accounts,
    own: destination,
    limits: options.limits,
    names,
    sent: options.sent,
    reused: reusedById(options.reused),
    reusedItems: reusedItems(options.reused),
    decisions: options.decisions,
    closed,
    approved,
    isReading: options.isReading ?? false,
    drain,
  });
  const walkOn = (durable: Durable<RunJobs>): Promise<Walked> => {
    renewEffort(playbook);
    return drive(walk(scope, deskOn(durable)), durable);
  };
  return {
    main: async (durable) => resultOf(playbook, await walkOn(durable), drain.aborted),
    walk: walkOn,
    child: (durable, plan, input) =>
      runNested(durable, plan, input, { around: deskOn(durable), playbooks }),
  };
}

/** All playbooks of a run, starting with its own. */
export function usedBy(playbook: Playbook): readonly Playbook[] {
  const used = stepsOf(playbook).flatMap(({ action }) =>
    action.kind === 'playbook' ? usedBy(action.playbook) : [],
  );
  return [playbook, ...used];
}

function resultOf(playbook: Playbook, walked: Walked, isDrained: boolean): RunResult {
  const { failure, isInterrupted, scope } = walked;
  if (failure?.status === 'doubt') return { status: 'doubt', exit: exits.inDoubt, outputs: null };
  if (isInterrupted || isDrained) {
    return { status: 'interrupted', exit: exits.interrupted, outputs: null };
  }
  if (failure !== undefined) return { status: 'stopped', exit: failure.exit, outputs: null };
  return { status: 'done', exit: exits.done, outputs: outputsOf(playbook, scope) };
}
