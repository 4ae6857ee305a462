/** The interpreter: walks a checked playbook on an engine, and asks nothing of anybody else. */
import type { Millis } from '../base/clock.ts';
import { exits, type ExitCode } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Destination } from '../journal/entry.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { GuardBook } from '../plan/guards.ts';
import { firstScope } from '../plan/scope.ts';
import type { Value } from '../playbook/expression/value.ts';
import { stepsOf } from '../playbook/expressions.ts';
import type { GuardRules } from '../playbook/limits.ts';
import type { Playbook } from '../playbook/playbook.ts';
import { accountsFrom, type Desk } from './desk.ts';
import type { Body, Durable } from './durable.ts';
import type { RunJobs } from './jobs.ts';
import { runNested } from './nested.ts';
import type { Walked } from './outcome.ts';
import { outputsOf } from './outputs.ts';
import { drive } from './routine.ts';
import { walk } from './walk.ts';

export interface Interpretation {
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly runId: string;
  readonly destination: Destination;
  /** The frozen time of the run, by the exchange's clock. */
  readonly time: Millis;
  /** The time of its schedule it is for, if it is for one. */
  readonly scheduledFor?: Millis | undefined;
  /** Accounts of other profiles that steps name. */
  readonly accounts: readonly { readonly destination: Destination; readonly guards: GuardRules }[];
  /** Judges every write before it is sent, and counts it. */
  readonly guards: GuardBook;
  /** What earlier runs did: it is not sent again, and counts towards no limit of this one. */
  readonly ledger: Ledger;
  /** Mark prices of the plan, by symbol. */
  readonly marks: Readonly<Record<string, string>>;
  readonly drain: AbortSignal;
}

export interface RunResult {
  readonly status: 'done' | 'stopped' | 'doubt' | 'interrupted';
  readonly exit: ExitCode;
  readonly outputs: Json;
}

/** A run's own body, and that of the playbooks its steps use. */
export interface Interpreter {
  readonly main: (durable: Durable<RunJobs>) => Promise<RunResult>;
  readonly child: Body<RunJobs>;
}

export function interpreterOf(options: Interpretation): Interpreter {
  const { playbook, runId, inputs, time, scheduledFor, drain } = options;
  const scope = firstScope(inputs, { id: runId, playbook: playbook.name, time, scheduledFor });
  const { guards } = options;
  const accounts = accountsFrom(options.accounts, guards);
  const books: Desk['books'] = new Map();
  const names: Desk['names'] = new Map();
  const playbooks = new Map(usedBy(playbook).map((used) => [used.file, used]));
  const deskOn = (durable: Durable<RunJobs>): Desk => ({
    durable,
    playbook,
    within: '',
    run: scope.run,
    naming: { playbook: playbook.name, destination: options.destination, run: runId },
    accounts,
    guards,
    books,
    names,
    ledger: options.ledger,
    marks: options.marks,
    drain,
  });
  return {
    main: async (durable) => {
      const walked = await drive(walk(scope, deskOn(durable)), durable);
      return resultOf(playbook, walked, drain.aborted);
    },
    child: (durable, plan, input) =>
      runNested(durable, plan, input, { around: deskOn(durable), playbooks }),
  };
}

/** Every playbook of a run, its own first. */
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
