/** The plan and the run of a playbook in a private world: nothing reaches another system. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { DocumentRenderer } from '../engine/effects/effect-context.ts';
import type { Printed } from '../engine/effects/shell.ts';
import type { RunResult } from '../engine/interpreter/interpret.ts';
import type { Destination } from '../engine/journal/entry.ts';
import type { Ledger } from '../engine/journal/ledger.ts';
import type { Account } from '../engine/plan/account.ts';
import type { Plan } from '../engine/plan/plan.ts';
import { makePlan } from '../engine/plan/planner.ts';
import { rulesOf } from '../engine/plan/rules.ts';
import { run, type Run, type World } from '../engine/runtime/run.ts';
import { Moment, type Value } from '../language/expression/value.ts';
import { resolveInputs } from '../language/inputs.ts';
import type { Playbook } from '../language/playbook.ts';
import { scriptedAnswers } from './scripted-answers.ts';
import type { PrivateWorld, WorldAccount, Wrap } from './tests/world.ts';

export interface TrialOptions {
  /** Renders documents; the caller provides it. */
  readonly documents: DocumentRenderer;
  readonly program: string;
}

/** A run of a playbook in a private world. */
export interface PrivateRun {
  readonly playbook: Playbook;
  readonly world: PrivateWorld;
  readonly workspace: string;
  readonly options: TrialOptions;
  readonly runId: string;
  /** The given values of the inputs. */
  readonly given: ReadonlyMap<string, Json>;
  /** The writes of earlier runs in the same world on an account. */
  readonly ledgerOf: (destination: Destination) => Ledger;
  /** Wraps the transports to the exchange. */
  readonly wrap?: Wrap;
}

/** A plan, and the values that its run starts with. */
export interface PreparedRun {
  readonly plan: Plan;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly time: Millis;
}

/** Makes the plan of a run. @throws DeskhandError for a wrong input, or what the plan refuses */
export async function planInside(job: PrivateRun, account: WorldAccount): Promise<PreparedRun> {
  const { playbook, runId, given } = job;
  const { exchange, destination, terms } = account;
  const signal = new AbortController().signal;
  const time = await exchange.serverTime(signal);
  const { inputs, problems } = resolveInputs(playbook, given, { time: new Moment(time) });
  const [wrong] = problems;
  if (wrong !== undefined) {
    throw new DeskhandError(wrong.message, {
      code: 'invalid',
      actor: 'author',
      exit: exits.invalid,
    });
  }
  const plan = await makePlan({
    playbook,
    inputs,
    destination,
    exchange,
    terms,
    ledger: job.ledgerOf(destination),
    guards: rulesOf(playbook, inputs, {}),
    isOffline: false,
    observedAt: time,
    run: runId,
    signal,
    programs: true,
    open: async (profile) => openedAs(profile, job),
  });
  return { plan, inputs, time };
}

/** The messages of the guards that a plan violates; undefined if it violates none. */
export function brokenIn({ guards }: Plan): string | undefined {
  const broken = guards.filter(({ isKept }) => !isKept);
  return broken.length === 0 ? undefined : broken.map(({ message }) => message).join('; ');
}

/** The journal of a run, and how it is observed. */
type Observing = Pick<Run, 'journal' | 'earlier' | 'onEntry'> & Pick<World, 'notify'>;

/** Runs what was planned, or continues it from its journal. */
export function runInside(
  job: PrivateRun,
  account: WorldAccount,
  { plan, inputs, time }: PreparedRun,
  { notify, ...observing }: Observing,
): Promise<RunResult> {
  const { playbook, world, workspace, options, runId } = job;
  const { clock, programs, answers } = world;
  const never = new AbortController().signal;
  return run({
    playbook,
    inputs,
    runId,
    time,
    account,
    accounts: (plan.accounts ?? []).map(({ profile }) => openedAs(profile, job)),
    ledger: job.ledgerOf(account.destination),
    guards: rulesOf(playbook, inputs, {}),
    origin: { program: options.program },
    clock,
    ...observing,
    world: {
      workspace,
      documents: options.documents,
      secret: (name) => `secret ${name}`,
      programs: true,
      execute: async ({ words: [name = ''] }) => printed(programs.get(name)),
      answers: scriptedAnswers(answers, clock),
      ...(notify && { notify }),
    },
    drain: never,
    halt: never,
  });
}

/** An account of another profile, with what earlier runs wrote on it. */
function openedAs(profile: string, { world, ledgerOf, wrap }: PrivateRun): Account {
  const account = world.account(profile, wrap);
  return { ...account, ledger: ledgerOf(account.destination) };
}

/** The output of a program that is not started. */
function printed(stdout = ''): Printed {
  return { exit: 0, stdout, stderr: '' };
}
